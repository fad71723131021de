import type { Texts } from '../texts.ts';

export const filterDialog: Texts['filterDialog'] = {
	addTitle: 'フィルターを追加',
	editTitle: 'フィルターを編集',
	dimension: 'ディメンション',
	property: 'プロパティ名',
	test: '演算子',
	values: '値',
	suggestions: 'この期間の候補',
	search: '検索または値を入力',
	apply: 'フィルターを適用',
	nothingFound: 'この期間に一致する値はありません。',
	groups: {
		pages: 'ページ',
		sources: '集客',
		places: '場所',
		devices: 'デバイス',
		other: '行動',
	},
	number: '数値',
	from: '下限',
	to: '上限',
	ignoreCase: '大文字と小文字を区別しない',
	currency: '通貨',
	currencyHint: 'EUR などのコード。空欄の場合はすべての通貨。',
	wildcardHint: '* は任意の文字を表します（目標と同じ）。',
	matchesHint: 'RE2 構文の正規表現。例: ^/blog/[0-9]+',
};
