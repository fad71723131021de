import type { Texts } from '../texts.ts';

export const trafficRules: Texts['trafficRules'] = {
	title: 'トラフィックルール',
	text: 'パス、ホスト名、国、リファラー、キャンペーン、ユーザーエージェント、IP ネットワークでヒットを除外します。ルールは新しいトラフィックに適用され、以前のトラフィックは統計に残ります。',
	add: 'ルールを追加',
	edit: 'ルールを編集',
	none: 'ルールはまだありません。',
	noDrops: '過去 30 日間に除外されたヒットはありません',
	dropped_one: '過去 30 日間に {{total}} 件のヒットを除外',
	dropped_other: '過去 30 日間に {{total}} 件のヒットを除外',
	kind: '除外の条件',
	kinds: {
		path: 'パス',
		hostname: 'ホスト名',
		country: '国',
		referrer: 'リファラー',
		campaign: 'キャンペーン (utm_campaign)',
		user_agent: 'ユーザーエージェント',
		network: 'IP アドレスまたはネットワーク',
	},
	domain: '次のドメインまたはそのサブドメイン',
	values: '値',
	perLine: '1 行に 1 つ。いずれかに一致するヒットが除外されます。',
	country: '2 文字の国コードを 1 行に 1 つ。',
	firstPage:
		'このリファラーまたはキャンペーンを持つヒットだけを除外します。通常は訪問の最初のページビューです。訪問の以降のページは集計されます。',
	applies: '新しいトラフィックに適用されます。以前のトラフィックは統計に残ります。',
	matches_one: '過去 30 日間の訪問 {{total}} 件が一致します。',
	matches_other: '過去 30 日間の訪問 {{total}} 件が一致します。',
	noMatch: '過去 30 日間に一致する訪問はありません。',
	loading: '一致する訪問を集計中…',
	reasons: {
		not_stored:
			'プレビューできません。IP アドレスとユーザーエージェントは保存されないため、以前の訪問とは比較できません。',
		too_many_values: '1,000 個を超える値はプレビューできません。',
		not_available: 'プレビューできません。過去 30 日間の訪問データがそろっていません。',
	},
	nameTaken: 'この名前のルールはすでに存在します。',
	valuesNeeded: '値を 1 つ以上入力してください。',
	badValue: '{{number}} 番目の値はこの種類のルールでは使用できません。',
	deleteText: 'ルールに一致していた新しいトラフィックは再び集計されます。除外されたヒットは復元されません。',
	byRule: 'トラフィックルール別',
};
