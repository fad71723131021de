import type { Texts } from '../texts.ts';

export const panels: Texts['panels'] = {
	visits: '訪問',
	visitors: '訪問者',
	availableFrom: '個々の訪問は {{date}} 以降のみ記録されています。それ以降について表示できます。',
	map: {
		label: '世界地図: 国別の訪問者',
		caption: '国別の訪問者',
		country: '国',
		elsewhere: '小さな国と不明な場所は国の一覧にあります。',
	},
	hours: {
		caption: '開始した曜日と時間帯ごとの訪問（サイトの時刻）',
		only: '{{day}}のみ',
		lastYear: '期間が長いため、直近 52 週を表示しています。',
	},
	goals: {
		nothing: 'この期間に達成された目標はありません',
		noneText: '目標とは、到達するページや起きるイベントのことです。登録、購入、ダウンロードなど。',
		add: '目標を追加',
		caption: '目標とコンバージョン',
	},
	keys: {
		title: 'キーボード',
		text: '文字を入力していないときに使えます。',
		open: 'ショートカット',
		groups: { periods: '期間', page: 'このページ', go: '移動' },
		today: '今日',
		week: '過去 7 日間',
		month: '過去 30 日間',
		year: '今年',
		all: '全期間',
		earlier: '前の期間',
		later: '後の期間',
		filter: 'フィルターを追加',
		search: 'すべての行を検索',
		tile: 'グラフに{{metric}}を表示',
		live: 'リアルタイム表示',
		statistics: '統計',
		help: 'この一覧を表示',
	},
	embed: { foot: 'Tidemark が Cookie なしで集計' },
};
