import type { Texts } from '../texts.ts';

export const doctor: Texts['doctor'] = {
	title: '系统状态',
	heading: '系统状态',
	text: '上次检查：{{date}}。与 tidemark doctor 的结果相同。',
	again: '重新检查',
	looking: '正在检查设置、磁盘、数据库和最近几天，最多可能需要半分钟。',
	todo: '建议：{{advice}}',
	fine: '所有检查均已通过',
	problems_one: '{{count}} 个问题',
	problems_other: '{{count}} 个问题',
	notices_one: '{{count}} 个警告',
	notices_other: '{{count}} 个警告',
	states: {
		ok: '正常',
		notice: '警告',
		problem: '问题',
	},
	checks: {
		settings: '设置',
		address: 'URL 和代理',
		clock: '时钟',
		disk: '磁盘',
		mail: '邮件',
		engines: '数据库',
		event_log: '事件日志',
		duplicates: '重复事件',
		derived: '派生总计',
		certificates: '证书',
		versions: '版本',
		leftovers: '损坏和未写入的数据',
	},
};
