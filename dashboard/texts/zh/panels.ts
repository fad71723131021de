import type { Texts } from '../texts.ts';

export const panels: Texts['panels'] = {
	visits: '访问',
	visitors: '访客',
	availableFrom: '单次访问自 {{date}} 起才有记录；此数据从该日起可用。',
	map: {
		label: '世界地图：按国家/地区划分的访客',
		caption: '按国家/地区划分的访客',
		country: '国家/地区',
		elsewhere: '较小的国家/地区和未知地点见国家/地区列表。',
	},
	hours: {
		caption: '按开始时的星期和小时划分的访问，以网站时区为准',
		only: '仅{{day}}',
		lastYear: '时间跨度较长，仅显示最近 52 周。',
	},
	goals: {
		nothing: '此时段没有达成目标',
		noneText: '目标是访客到达的页面或发生的事件：注册、购买、下载。',
		add: '添加目标',
		caption: '目标及其转化',
	},
	keys: {
		title: '键盘',
		text: '只要不在输入文字，这些按键随处可用。',
		open: '快捷键',
		groups: { periods: '时段', page: '在此页面', go: '前往' },
		today: '今天',
		week: '最近 7 天',
		month: '最近 30 天',
		year: '今年',
		all: '全部时间',
		earlier: '更早',
		later: '更晚',
		filter: '添加筛选条件',
		search: '在所有行中搜索',
		tile: '在图表中显示{{metric}}',
		live: '实时视图',
		statistics: '统计',
		help: '显示此列表',
	},
	embed: { foot: '由 Tidemark 统计，不使用 Cookie' },
};
