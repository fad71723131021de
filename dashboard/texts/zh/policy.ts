import type { Texts } from '../texts.ts';

/** What an account requires of people who work with it. */
export const policy: Texts['policy'] = {
	title: '登录策略',
	text: '适用于此账户的所有者及其网站的成员。数据收集不受影响。',
	signIn: '要求的登录方式',
	rules: { any: '任意', second_factor: '第二因素', provider: '身份提供商' },
	idle: '无操作后退出登录',
	longest: '重新登录间隔',
	default: '{{duration}}（默认）',
	networks: '允许的网络',
	networksHint: '适用于仪表板和 API 密钥。每行一个。你的地址是 {{address}}。留空表示全部允许。',
	networksFault: '列表必须包含你的地址 {{address}}，并且只能包含 IP 地址和网络。',
	needs: {
		second_factor: '请先启用双重验证或使用通行密钥登录，以免自己无法访问。',
		provider: '请先使用身份提供商登录，以免自己无法访问。',
	},
	service: '此服务器的运营者也为所有账户设置了策略。以更严格的为准。',
	submit: '保存策略',
	saved: '策略已保存。',
	refused: {
		second_factor_required: '此账户要求使用第二因素。',
		provider_required: '此账户要求使用身份提供商登录。请退出登录，然后使用它重新登录。',
		network_not_allowed: '不允许从此网络访问。请联系账户所有者或此服务器的运营者。',
	},
	setUp: '设置第二因素',
	useFactor: '请退出登录，然后使用第二因素重新登录。',
	link: '关联提供商',
	elsewhere: {
		second_factor_required: '{{account}} 的网站要求使用第二因素。',
		provider_required: '{{account}} 的网站要求使用身份提供商登录。',
		network_not_allowed: '无法从此网络打开 {{account}} 的网站。',
	},
};
