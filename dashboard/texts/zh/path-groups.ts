import type { Texts } from '../texts.ts';

export const pathGroups: Texts['pathGroups'] = {
	rules: {
		title: '规则',
		text: '将路径中包含 ID 或日期的页面归为一组。第一条匹配的规则生效。规则同样适用于历史数据。',
		hint: '* 匹配路径中某一段的一部分，末尾的 ** 匹配路径的其余部分。分组中的 $1 保留第一个 * 匹配的内容。',
		add: '添加规则',
		none: '暂无规则。每个路径自成一组。',
		pattern: '模式',
		target: '分组',
		patternOf: '规则 {{rule}} 的模式',
		targetOf: '规则 {{rule}} 的分组',
		up: '上移规则 {{rule}}',
		down: '下移规则 {{rule}}',
		remove: '删除规则 {{rule}}',
		bad: '请检查此规则。模式以 / 开头，每一段最多一个 *；** 只能放在末尾。',
		count: '路径：{{paths}} · 浏览量：{{views}}',
		period: '最近 30 天的预览。',
		partial: '最近 30 天的预览，基于 {{paths}} 个路径中浏览最多的 {{compared}} 个。',
		examples: '示例',
		unmatched: '没有规则的路径',
	},
	undo: {
		title: '撤销',
		text: '恢复之前的规则，统计将显示与更改前相同的数字。',
		button: '撤销上次更改',
		done: '已撤销上次更改。',
	},
	proposals: {
		title: '建议',
		text: '基于最近 30 天内没有规则匹配的路径。',
		use: '使用',
		useOne: '使用 {{pattern}} 的规则',
		none: '没有建议。',
	},
};
