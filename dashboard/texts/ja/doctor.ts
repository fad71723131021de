import type { Texts } from '../texts.ts';

export const doctor: Texts['doctor'] = {
	title: 'システム状態',
	heading: 'システム状態',
	text: '最終確認: {{date}}。tidemark doctor と同じ結果です。',
	again: 'もう一度確認',
	looking: '設定、ディスク、データベース、直近の日を確認しています。最大 30 秒ほどかかります。',
	todo: '推奨: {{advice}}',
	fine: 'すべての確認に合格しました',
	problems_one: '問題 {{count}} 件',
	problems_other: '問題 {{count}} 件',
	notices_one: '警告 {{count}} 件',
	notices_other: '警告 {{count}} 件',
	states: {
		ok: '正常',
		notice: '警告',
		problem: '問題',
	},
	checks: {
		settings: '設定',
		address: 'URL とプロキシ',
		clock: '時計',
		disk: 'ディスク',
		mail: 'メール',
		engines: 'データベース',
		event_log: 'イベントログ',
		duplicates: '重複イベント',
		derived: '派生した合計',
		certificates: '証明書',
		versions: 'バージョン',
		leftovers: '破損データと未書き込みデータ',
	},
};
