import type { Against, ReportTexts } from './texts.ts';

const before: Record<Against, string> = { week: '前一周', month: '前一个月', year: '一年前' };

export const zh: ReportTexts = {
	metrics: {
		visitors: '访客',
		visits: '访问',
		pageviews: '浏览量',
		bounce_rate: '跳出率',
		visit_duration: '访问时长',
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
		better: (than) => `优于 ${than}`,
		worse: (than) => `不及 ${than}`,
		unchanged: '无变化',
		new: '新增',
	},
	chart: {
		title: '每天的访客',
		legend: {
			week: { now: '本周', before: '前一周' },
			month: { now: '本月', before: '前一个月' },
		},
		summary: ({ most, mostVisitors, least, leastVisitors }) =>
			`最多的一天是 ${most}，${mostVisitors}。最少的一天是 ${least}，${leastVisitors}。`,
	},
	lists: { pages: '页面', sources: '来源', countries: '国家/地区', goals: '目标', risen: '上升的内容' },
	columns: { website: '网站', conversions: '转化', rate: '比率' },
	risen: {
		page: ({ value, visitors, before: then }) => `页面 ${value}：${visitors}，之前 ${then}。`,
		source: ({ value, visitors, before: then }) => `来源 ${value}：${visitors}，之前 ${then}。`,
		newPage: ({ value, visitors }) => `新页面 ${value}：${visitors}。`,
		newSource: ({ value, visitors }) => `新来源 ${value}：${visitors}。`,
	},
	values: { direct: '直接', unknown: '未知' },
	nobody: { week: '这一周没有访客。', month: '这个月没有访客。' },
	provisional: '暂定数据：生成此报告时，其中有些日子仍在统计。最新数字请看页面。',
	open: { week: '打开这一周', month: '打开这个月' },
	openAll: '打开所有网站',
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
		zone: (zone) => `日期按 ${zone}。`,
		visitor: '一位访客是一天之内的一个浏览器；到了明天，谁也不会被认出。',
	},
	feed: { title: (name) => `${name} 的报告` },
};
