import type { Texts } from '../texts.ts';

export const panels: Texts['panels'] = {
	visits: '访问',
	visitors: '访客',
	availableFrom: '访问级数据从 {{date}} 开始。',
	map: {
		label: '世界地图：按国家/地区划分的访客',
		caption: '按国家/地区划分的访客',
		country: '国家/地区',
		unlisted: '小国家/地区和未知位置仅显示在国家/地区列表中。',
	},
	hours: {
		caption: '按星期和小时统计的访问（网站时区）',
		only: '仅{{day}}',
		lastYear: '仅显示最近 52 周。',
	},
	goals: {
		nothing: '此时段没有达成目标',
		caption: '目标和转化',
		rate: '转化率',
	},
	keys: {
		title: '键盘快捷键',
		text: '未选中输入框时，快捷键有效。',
		open: '键盘快捷键',
		groups: {
			periods: '时段',
			page: '在此页面',
			go: '导航',
		},
		today: '今天',
		week: '最近 7 天',
		month: '最近 30 天',
		year: '今年',
		all: '全部时间',
		earlier: '上一时段',
		later: '下一时段',
		filter: '添加筛选条件',
		search: '在所有行中搜索',
		tile: '在图表中显示{{metric}}',
		live: '实时视图',
		statistics: '统计',
		help: '显示键盘快捷键',
	},
	embed: {
		foot: '由 Tidemark 提供的无 Cookie 统计',
	},
};
