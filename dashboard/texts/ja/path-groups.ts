import type { Texts } from '../texts.ts';

export const pathGroups: Texts['pathGroups'] = {
	rules: {
		title: 'ルール',
		text: 'パスに ID や日付を含むページをまとめます。最初に一致したルールが適用されます。ルールは過去のデータにも適用されます。',
		hint: '* はパスセグメントの一部、末尾の ** はパスの残りに一致します。グループの $1 は最初の * に一致した部分を残します。',
		add: 'ルールを追加',
		none: 'ルールはまだありません。各パスがそれぞれ 1 つのグループになります。',
		pattern: 'パターン',
		target: 'グループ',
		patternOf: 'ルール {{rule}} のパターン',
		targetOf: 'ルール {{rule}} のグループ',
		up: 'ルール {{rule}} を上へ移動',
		down: 'ルール {{rule}} を下へ移動',
		remove: 'ルール {{rule}} を削除',
		bad: 'このルールを確認してください。パターンは / で始まり、* は各パスセグメントに 1 つまでです。** は末尾でのみ使えます。',
		count: 'パス: {{paths}} · ページビュー: {{views}}',
		period: '過去 30 日間のプレビュー。',
		partial: '過去 30 日間のプレビュー（{{paths}} 件のパスのうち閲覧の多い {{compared}} 件）。',
		examples: '例',
		unmatched: 'ルールのないパス',
	},
	undo: {
		title: '元に戻す',
		text: '前のルールを復元します。統計には変更前と同じ数値が表示されます。',
		button: '最後の変更を元に戻す',
		done: '最後の変更を元に戻しました。',
	},
	proposals: {
		title: '候補',
		text: '過去 30 日間で、どのルールにも一致しないパスに基づきます。',
		use: '使う',
		useOne: '{{pattern}} のルールを使う',
		none: '候補はありません。',
	},
};
