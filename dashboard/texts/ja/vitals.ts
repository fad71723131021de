import type { Texts } from '../texts.ts';

export const vitals: Texts['vitals'] = {
	title: 'ウェブ バイタル',
	text: 'ページビューの4分の3は、この数値と同じかそれより良好でした。',
	names: { lcp: '最大要素の表示', inp: '最も遅い応答', cls: 'レイアウトのずれ' },
	definitions: {
		lcp: 'LCP：ページの最も大きな部分が表示されるまでの時間。{{good}}以下は良好、{{poor}}を超えると不良です。',
		inp: 'INP：最も遅かった操作にページが応答するまでの時間。{{good}}以下は良好、{{poor}}を超えると不良です。',
		cls: 'CLS：ページがひとりでに動いた度合い。{{good}}以下は良好、{{poor}}を超えると不良です。',
	},
	ratings: { good: '良好', needs_improvement: '改善が必要', poor: '不良' },
	rating: '評価',
	p75: '75パーセンタイル',
	samples: 'ページビュー',
	caption: 'ウェブ バイタル：75パーセンタイルとページビューの分布',
	pages: 'ページ別の{{name}}',
	refused:
		'ウェブ バイタルは個々のページビューの値です。ページ、ホスト名、国、デバイス、ブラウザ、OSで絞り込めます。表示するには、ほかのフィルターを外してください。',
	from: '以前の測定値は削除されました。{{date}}からの値です。',
};
