import type { Texts } from '../texts.ts';

export const reports: Texts['reports'] = {
	title: 'レポート',
	text: 'このサイトの週次と月次のまとめ。',
	none: 'レポートはまだありません',
	noneText: '最初のレポートは週末または月末に作成されます。',
	week: '週',
	month: '月',
	provisional: '暫定',
	risen: '最も伸びた項目: {{names}}',
	pages: 'ページ送り',
	schedule: 'スケジュール',
	mail: 'メール',
	all: 'すべてのレポート',
	listLabel: 'レポート（新しい順）',
	feed: {
		title: 'フィード',
		text: 'フィードリーダーでこのサイトのレポートを購読できます。URL を知っている人は誰でも読めるため、秘密にしてください。',
		make: 'フィード URL を作成',
		label: 'フィード URL',
		once: '今すぐコピーしてください。表示されるのは一度だけです。',
		since:
			'{{date}} にフィード URL が作成されました。表示は一度だけです。新しい URL を作成すると置き換わります。',
		renew: '新しいフィード URL を作成',
		remove: 'フィード URL を削除',
		renewTitle: '新しいフィード URL を作成しますか？',
		removeTitle: 'フィード URL を削除しますか？',
		gone: '現在の URL はすぐに使えなくなります。',
	},
	settings: {
		title: 'レポート',
		text: 'メールレポートが有効なサイトについて、各サイトのタイムゾーンの午前 7 時に送信されます。',
		schedule: '頻度',
		schedules: {
			none: 'なし',
			week: '毎週月曜日',
			month: '毎月 1 日',
			both: '毎週と毎月',
		},
		digest: 'すべてのサイトを 1 通のメールにまとめる',
		digestHint: 'サイトごとのメールではなく、1 サイト 1 行で表示します。',
	},
};
