import type { Texts } from '../texts.ts';

/** What an account requires of people who work with it. */
export const policy: Texts['policy'] = {
	title: 'サインインポリシー',
	text: 'このアカウントの所有者と、そのサイトのメンバーに適用されます。データの収集には影響しません。',
	signIn: '必要なサインイン方法',
	rules: { any: 'すべて', second_factor: '第2要素', provider: 'IDプロバイダー' },
	idle: '操作がないときのサインアウトまで',
	longest: '再サインインまで',
	default: '{{duration}}（既定）',
	networks: '許可するネットワーク',
	networksHint:
		'ダッシュボードとAPIキーが対象です。1行に1つ入力します。現在のアドレスは{{address}}です。空欄ではすべて許可します。',
	networksFault:
		'リストには現在のアドレス{{address}}を含め、IPアドレスとネットワークだけを入力してください。',
	needs: {
		second_factor:
			'自分がアクセスできなくならないように、先に2要素認証を有効にするか、パスキーでサインインしてください。',
		provider: '自分がアクセスできなくならないように、先にIDプロバイダーでサインインしてください。',
	},
	service:
		'このサーバーの運用者も、すべてのアカウントにポリシーを設定しています。より厳しいほうが適用されます。',
	submit: 'ポリシーを保存',
	saved: 'ポリシーを保存しました。',
	refused: {
		second_factor_required: 'このアカウントでは第2要素が必要です。',
		provider_required:
			'このアカウントではIDプロバイダーでのサインインが必要です。サインアウトし、IDプロバイダーでサインインしてください。',
		network_not_allowed:
			'このネットワークからのアクセスは許可されていません。アカウントの所有者か、このサーバーの運用者に問い合わせてください。',
	},
	setUp: '第2要素を設定',
	useFactor: 'サインアウトし、第2要素を使ってサインインしてください。',
	link: 'プロバイダーを連携',
	elsewhere: {
		second_factor_required: '{{account}}のサイトには第2要素が必要です。',
		provider_required: '{{account}}のサイトにはIDプロバイダーでのサインインが必要です。',
		network_not_allowed: '{{account}}のサイトはこのネットワークから開けません。',
	},
};
