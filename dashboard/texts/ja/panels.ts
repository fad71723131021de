import type { Texts } from '../texts.ts';

export const panels: Texts['panels'] = {
	visits: '訪問',
	visitors: '訪問者',
	availableFrom: '訪問単位のデータは {{date}} 以降にあります。',
	map: {
		label: '世界地図: 国別の訪問者',
		caption: '国別の訪問者',
		country: '国',
		unlisted: '小さな国と不明な場所は、国の一覧にのみ表示されます。',
	},
	hours: {
		caption: '曜日と時間帯別の訪問（サイトのタイムゾーン）',
		only: '{{day}}のみ',
		lastYear: '直近 52 週間のみ表示しています。',
	},
	goals: {
		nothing: 'この期間に達成された目標はありません',
		caption: '目標とコンバージョン',
		rate: '率',
	},
	keys: {
		title: 'キーボードショートカット',
		text: 'ショートカットは入力欄を選択していないときに使えます。',
		open: 'キーボードショートカット',
		groups: {
			periods: '期間',
			page: 'このページ',
			go: 'ナビゲーション',
		},
		today: '今日',
		week: '過去 7 日間',
		month: '過去 30 日間',
		year: '今年',
		all: '全期間',
		earlier: '前の期間',
		later: '次の期間',
		filter: 'フィルターを追加',
		search: 'すべての行を検索',
		tile: 'グラフに{{metric}}を表示',
		live: 'リアルタイム表示',
		statistics: '統計',
		help: 'キーボードショートカットを表示',
	},
	embed: {
		foot: 'Tidemark による Cookie 不要の統計',
	},
};
