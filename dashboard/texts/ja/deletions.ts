import type { Texts } from '../texts.ts';

export const deletions: Texts['deletions'] = {
	counting: '一致するイベントを集計中…',
	none: '一致するイベントはありません。',
	matches_one: '{{days}}のイベント {{total}} 件（{{kinds}}）が非表示になります。',
	matches_other: '{{days}}のイベント {{total}} 件（{{kinds}}）が非表示になります。',
	pageviews_one: 'ページビュー {{total}} 件',
	pageviews_other: 'ページビュー {{total}} 件',
	customEvents_one: 'カスタムイベント {{total}} 件',
	customEvents_other: 'カスタムイベント {{total}} 件',
	measurements_one: 'エンゲージメントと Web Vitals の計測 {{total}} 件',
	measurements_other: 'エンゲージメントと Web Vitals の計測 {{total}} 件',
	days_one: '{{from}}',
	days_other: '{{from}}から{{to}}までの {{total}} 日間',
	totalsBefore:
		'{{date}}より前の合計は変わりません。そのイベントはデータ保持期間の経過によりすでに削除されています。',
	earlierValues_one:
		'イベントがすでに保存されていない日とインポートした日の内訳から、値 {{total}} 件が削除されます。これらの日の合計は変わりません。',
	earlierValues_other:
		'イベントがすでに保存されていない日とインポートした日の内訳から、値 {{total}} 件が削除されます。これらの日の合計は変わりません。',
	alreadyHidden_one:
		'一致するイベント {{total}} 件は、別の削除ですでに非表示になっています。両方を取り消すと再び集計され、先に確定した削除でディスクから削除されます。',
	alreadyHidden_other:
		'一致するイベント {{total}} 件は、別の削除ですでに非表示になっています。両方を取り消すと再び集計され、先に確定した削除でディスクから削除されます。',
	referrers_one:
		'他のページのイベント {{total}} 件は、リファラーに一致するパスを含んでいますが、削除されません。これらも削除するには、リファラーでフィルターしてください。',
	referrers_other:
		'他のページのイベント {{total}} 件は、リファラーに一致するパスを含んでいますが、削除されません。これらも削除するには、リファラーでフィルターしてください。',
	keeps:
		'イベントはすべての統計からすぐに非表示になります。{{date}}まで取り消せます。その後、ディスクから削除されます。',
	keepsNone:
		'イベントはすべての統計からすぐに非表示になり、できるだけ早くディスクから削除されます。この操作は取り消せません。',
	keepsValues: '値はすぐに非表示になります。{{date}}まで取り消せます。',
	keepsValuesNone: '値はできるだけ早く削除されます。この操作は取り消せません。',
	tooLarge:
		'過去のトラフィックに適用できるのは、合計 60,000 文字以内、1,000 個までの値です。複数のルールまたは削除に分けてください。',
	limit: '取り消し可能な削除が多すぎます。いずれかを取り消すか、取り消せる期間が終わるまでお待ちください。',
	newEvents: '新しいイベントには影響しません。',
	exclude: '新しいトラフィックを除外',
	undo: '取り消す',
	valuesDeleted: '（値は削除済み）',
	states: {
		hidden: '非表示。{{date}}まで取り消せます。',
		due: '非表示。まもなくディスクから削除されます。',
		deleted: '{{date}}にディスクから削除しました。',
		undone: '{{date}}に取り消しました。',
	},
	rule: {
		apply: '過去のトラフィックに適用',
		applyOne: '過去のトラフィックに適用: {{name}}',
		title: '{{name}} を過去のトラフィックに適用しますか？',
		text: 'このルールに一致する過去のイベントは、すべての統計からすぐに非表示になります。',
		textUntil:
			'このルールに一致する過去のイベントは、すべての統計からすぐに非表示になります。{{date}}まで取り消せます。その後、ディスクから削除されます。',
		textFinal:
			'このルールに一致する過去のイベントは、すべての統計からすぐに非表示になり、できるだけ早くディスクから削除されます。この操作は取り消せません。',
		action: '過去のトラフィックを非表示',
		hidden_one: '過去のイベント {{total}} 件が非表示です。{{date}}まで取り消せます。',
		hidden_other: '過去のイベント {{total}} 件が非表示です。{{date}}まで取り消せます。',
		due_one: '過去のイベント {{total}} 件が非表示です。まもなくディスクから削除されます。',
		due_other: '過去のイベント {{total}} 件が非表示です。まもなくディスクから削除されます。',
		staysHidden:
			'このルールで非表示にした過去のトラフィックは非表示のままです。管理者は「データ」で取り消せます。',
	},
	filter: {
		title: '条件を指定してデータを削除',
		text: '条件を満たす過去のイベントを削除します。ページが誤って送信した個人データなどに使用します。先にプレビューが表示されます。新しいイベントには影響しません。',
		dialogText: '削除するイベントを選択します。削除の前にプレビューが表示されます。',
		conditions: 'すべての条件を満たすイベント',
		condition: '条件 {{number}}',
		field: 'フィールド',
		query: 'クエリ文字列',
		perLine: '1 行に 1 つ。いずれかが一致すれば対象です。',
		badValue: '{{number}} 番目の値はこのフィールドでは使用できません。',
		propertyNeeded: 'プロパティ名を入力してください。',
		add: '条件を追加',
		remove: '条件 {{number}} を削除',
		allDays: '空欄にすると、すべての日が対象です。',
		keep: '取り消せる期間',
		keepDays: '{{days}} 日間',
		keepNone: 'なし（できるだけ早く削除）',
		preview: 'プレビュー',
		action_one: 'イベント {{total}} 件を削除',
		action_other: 'イベント {{total}} 件を削除',
		confirm_one: 'イベント {{total}} 件を削除しますか？',
		confirm_other: 'イベント {{total}} 件を削除しますか？',
		done: 'イベントをすべての統計から取り除きました。',
	},
	elsewhere: {
		title: '同じデータが次にも含まれている可能性があります',
		reports_one: 'これらの日に関する保存済みレポート {{total}} 件',
		reports_other: 'これらの日に関する保存済みレポート {{total}} 件',
		deadLetters_one: 'デッドレター: 書き込めなかったイベント {{total}} 件',
		deadLetters_other: 'デッドレター: 書き込めなかったイベント {{total}} 件',
		backup: 'アップグレード前のバックアップ（{{made}}作成、{{expires}}に期限切れ）',
		own: '自分で作成したエクスポートとバックアップは変更されません。',
	},
	list: {
		title: '削除したデータ',
		rule: 'トラフィックルール: {{name}}',
		and: 'かつ',
		events_one: '{{days}}のイベント {{total}} 件',
		events_other: '{{days}}のイベント {{total}} 件',
		values_one: '以前の合計の内訳にある値 {{total}} 件',
		values_other: '以前の合計の内訳にある値 {{total}} 件',
		noEvents: 'イベントなし',
		all: 'すべて表示',
	},
};
