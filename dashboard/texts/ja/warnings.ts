import type { Texts } from '../texts.ts';

export const warnings: Texts['warnings'] = {
	otherAddress:
		'{{here}} を開いていますが、公開 URL は {{address}} です。スニペットとリンクには公開 URL が使われます。',
	proxyWarning:
		'Tidemark は信頼されていないプロキシの背後にあるため、全訪問者がプロキシの IP アドレスに見えます。TIDEMARK_TRUSTED_PROXIES={{proxy}} を設定し、サーバーを再起動してください。',
	proxyPerhaps:
		'一部のリクエストに信頼されていない X-Forwarded-For ヘッダーが含まれています。Tidemark が自分のプロキシの背後にある場合は、TIDEMARK_TRUSTED_PROXIES にそのアドレスを設定し、サーバーを再起動してください。そうでなければ無視してかまいません。',
	unconfirmed: {
		text: '{{email}} に送信したリンクでメールアドレスを確認してください。確認するまで、レポート、アラート、移転されたサイトは受け取れません。',
		noMail:
			'メールアドレス {{email}} は未確認のため、レポート、アラート、移転されたサイトを受け取れません。サーバー運営者に確認を依頼してください。',
		again: '確認メールを再送信',
		sent: '{{email}} に確認メールを送信しました。',
	},
};
