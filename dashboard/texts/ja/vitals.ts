import type { Texts } from '../texts.ts';

export const vitals: Texts['vitals'] = {
	title: 'ウェブ バイタル',
	text: 'ページビューの 75% は、これらの値と同等以上でした。',
	names: {
		lcp: 'Largest Contentful Paint',
		inp: 'Interaction to Next Paint',
		cls: 'Cumulative Layout Shift',
	},
	definitions: {
		lcp: 'LCP：ページの最も大きな部分が表示されるまでの時間。{{good}}以下は良好、{{poor}}を超えると不良です。',
		inp: 'INP：最も遅かった操作にページが応答するまでの時間。{{good}}以下は良好、{{poor}}を超えると不良です。',
		cls: 'CLS：ページがひとりでに動いた度合い。{{good}}以下は良好、{{poor}}を超えると不良です。',
	},
	ratings: {
		good: '良好',
		needs_improvement: '改善が必要',
		poor: '不良',
	},
	rating: '評価',
	p75: '75パーセンタイル',
	samples: 'ページビュー',
	caption: 'ウェブ バイタル：75パーセンタイルとページビューの分布',
	pages: 'ページ別の{{name}}',
	refused:
		'Web Vitals は、ページ、ホスト名、国、デバイス、ブラウザー、OS でのみ絞り込めます。他のフィルターを解除してください。',
	from: '以前の測定値は削除されました。データは {{date}} 以降です。',
};
