import type { Texts } from '../texts.ts';

export const warnings: Texts['warnings'] = {
	otherAddress: '你打开的是 {{here}}，但公开 URL 是 {{address}}。代码片段和链接使用公开 URL。',
	proxyWarning:
		'Tidemark 位于不受信任的代理之后，因此所有访客看起来都使用代理的 IP 地址。请设置 TIDEMARK_TRUSTED_PROXIES={{proxy}} 并重启服务器。',
	proxyPerhaps:
		'部分请求包含不受信任的 X-Forwarded-For 标头。如果 Tidemark 位于你的代理之后，请将 TIDEMARK_TRUSTED_PROXIES 设为代理地址并重启服务器。否则可以忽略。',
	unconfirmed: {
		text: '请使用发送到 {{email}} 的链接确认你的电子邮箱。在此之前，你无法接收报告、提醒或转移的网站。',
		noMail:
			'你的电子邮箱 {{email}} 尚未确认，因此你无法接收报告、提醒或转移的网站。请联系服务器运营者进行确认。',
		again: '重新发送确认邮件',
		sent: '确认邮件已发送至 {{email}}。',
	},
};
