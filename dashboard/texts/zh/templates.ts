import type { Texts } from '../texts.ts';

export const templates: Texts['templates'] = {
	label: '模板',
	none: '不使用模板',
	hint: '复制模板的设置、目标、漏斗、细分、页面组和流量规则。',
	manage: '管理模板',
	manageText: '重命名或删除模板不会更改任何网站。',
	rename: '重命名',
	renameOne: '重命名：{{name}}',
	name: '模板名称',
	empty: '还没有模板。',
	save: {
		title: '另存为模板',
		text: '新网站可以沿用此网站的设置、目标、漏斗、细分、页面组和流量规则。密码、主机名和收件人不会被复制。',
		done: '模板已保存。添加网站时可以选择它。',
	},
	bulk: {
		open: '批量更改',
		title: '更改多个网站',
		text: '列表当前页上的网站。',
		selectAll: '全选',
		selectNone: '全不选',
		noneSelected: '请至少选择一个网站。',
		add: '添加标签',
		remove: '移除标签',
		template: '应用模板',
		templateHint: '应用模板的设置，并添加其目标和其他记录。不会移除任何内容。',
		send: '应用',
	},
};
