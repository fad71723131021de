import type { Against, ReportTexts } from './texts.ts';

const before: Record<Against, string> = { week: '前一周', month: '前一个月', year: '一年前' };

export const zh: ReportTexts = {
	metrics: {
		visitors: '访客',
		visits: '访问',
		pageviews: '浏览量',
		bounce_rate: '跳出率',
		visit_duration: '访问时长',
		revenue: '收入',
	},
	visitors: (_, shown) => `${shown} 位访客`,
	subject: {
		week: ({ name, visitors, change }) => `${name}：上周 ${visitors}${change}`,
		month: ({ name, visitors, change, month }) => `${name}：${month} ${visitors}${change}`,
	},
	websites: (_, shown) => `${shown} 个网站`,
	title: { week: '周报', month: '月报' },
	before: { week: '前一周', month: '前一个月', year: '一年前' },
	change: {
		more: (by, against) => `比${before[against]}多 ${by}`,
		fewer: (by, against) => `比${before[against]}少 ${by}`,
		same: (against) => `与${before[against]}相同`,
		points: (_, shown) => `${shown} 个百分点`,
		before: (than) => `之前 ${than}`,
		unchanged: '无变化',
		new: '新增',
	},
	chart: {
		title: '每日访客',
		legend: {
			week: { now: '本周', before: '前一周' },
			month: { now: '本月', before: '前一个月' },
		},
		summary: ({ most, mostVisitors, least, leastVisitors }) =>
			`最高：${most}（${mostVisitors}）。最低：${least}（${leastVisitors}）。`,
	},
	lists: { pages: '页面', sources: '来源', countries: '国家/地区', goals: '目标', changed: '变化' },
	columns: { website: '网站', conversions: '转化', rate: '比率' },
	changed: {
		page: ({ value, visitors, before: then }) => `页面 ${value}：${visitors}，之前 ${then}。`,
		source: ({ value, visitors, before: then }) => `来源 ${value}：${visitors}，之前 ${then}。`,
		newPage: ({ value, visitors }) => `新页面 ${value}：${visitors}。`,
		newSource: ({ value, visitors }) => `新来源 ${value}：${visitors}。`,
		goal: ({ value, count, before: then }) => `${value} 的转化：${count}，之前 ${then}。`,
	},
	values: { direct: '直接', unknown: '未知' },
	nobody: { week: '本周没有访客。', month: '本月没有访客。' },
	provisional: '暂定数据：生成此报告时，部分日期仍在处理。最新数据请查看仪表盘。',
	open: { week: '查看本周', month: '查看本月' },
	openAll: '查看所有网站',
	others: (_, shown) => `以及另外 ${shown} 个网站`,
	why: {
		week: ({ name }) => `你收到这封邮件，是因为 ${name} 的每周报告已开启。`,
		month: ({ name }) => `你收到这封邮件，是因为 ${name} 的每月报告已开启。`,
	},
	whyDigest: {
		week: '你收到这封邮件，是因为这些网站的每周报告已开启。',
		month: '你收到这封邮件，是因为这些网站的每月报告已开启。',
	},
	unsubscribe: '退订',
	foot: {
		zone: (zone) => `时区：${zone}。`,
		visitor: '访客按天统计。同一人在另一天再次访问会重新计数。',
	},
	poweredBy: '由 Tidemark 提供支持',
	feed: { title: (name) => `${name} 的报告` },
};
