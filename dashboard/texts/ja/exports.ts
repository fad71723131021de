import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
	title: 'データの書き出し',
	text: 'このウェブサイトについて保存されているすべてのデータを、イベント単位または集計済みのファイルとして書き出します。列の説明はドキュメントにあります。',
	what: {
		label: '内容',
		events: 'イベント：計測されたすべてを 1 件ずつ',
		visits: '終了した日の訪問',
		totals: '終了した日の日別合計',
	},
	format: {
		label: '形式',
		parquet: 'Parquet（データベース・ノートブック向け）',
		csv: 'CSV（表計算ソフト向け）',
		ndjson: 'NDJSON（1 行に 1 つの JSON）',
	},
	from: '開始日',
	to: '終了日',
	dates: '空欄：すべての期間。',
	order: '終了日が開始日より前です。',
	button: 'ダウンロード',
	begun: 'ダウンロードを開始しました。大きなファイルは時間がかかります。',
};
