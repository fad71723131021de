import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
	title: 'エクスポート',
	text: 'このサイトの保存データをすべてダウンロードします。列の説明はドキュメントにあります。',
	what: {
		label: 'データ',
		events: 'イベント（生データ）',
		visits: '訪問（完了した日）',
		totals: '日別の合計（完了した日）',
	},
	format: {
		label: '形式',
		parquet: 'Parquet（データベース、ノートブック）',
		csv: 'CSV（表計算ソフト）',
		ndjson: 'NDJSON（1 行に 1 つの JSON オブジェクト）',
	},
	from: '開始日',
	to: '終了日',
	dates: '空欄にすると、すべてエクスポートします。',
	order: '終了日が開始日より前です。',
	button: 'ダウンロード',
	begun: 'ダウンロードを開始しました。大きなファイルは時間がかかります。',
};
