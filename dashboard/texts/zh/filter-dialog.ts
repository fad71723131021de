import type { Texts } from '../texts.ts';

export const filterDialog: Texts['filterDialog'] = {
	addTitle: '添加筛选条件',
	editTitle: '编辑筛选条件',
	dimension: '维度',
	property: '属性名称',
	test: '运算符',
	values: '值',
	suggestions: '此时段的建议',
	search: '搜索或输入值',
	apply: '应用筛选条件',
	nothingFound: '此时段没有匹配的值。',
	groups: {
		pages: '页面',
		sources: '流量获取',
		places: '地理位置',
		devices: '设备',
		other: '行为',
	},
	number: '数字',
	from: '从',
	to: '到',
	ignoreCase: '忽略大小写',
	currency: '货币',
	currencyHint: '货币代码，例如 EUR。留空表示任意货币。',
	wildcardHint: '* 代表任意字符，与目标中相同。',
	matchesHint: 'RE2 语法的正则表达式，例如 ^/blog/[0-9]+',
};
