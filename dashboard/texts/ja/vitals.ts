import type { Texts } from '../texts.ts';

export const vitals: Texts['vitals'] = {
	title: 'Web Vitals',
	text: 'ページビューの 75% は、これらの値と同等以上でした。',
	names: {
		lcp: 'Largest Contentful Paint',
		inp: 'Interaction to Next Paint',
		cls: 'Cumulative Layout Shift',
	},
	definitions: {
		lcp: 'LCP: ページ内の最大の要素が表示されるまでの時間。{{good}} 以下は良好、{{poor}} を超えると不良です。',
		inp: 'INP: 最も遅い操作にページが応答するまでの時間。{{good}} 以下は良好、{{poor}} を超えると不良です。',
		cls: 'CLS: レイアウトが予期せずずれる度合い。{{good}} 以下は良好、{{poor}} を超えると不良です。',
	},
	ratings: {
		good: '良好',
		needs_improvement: '改善が必要',
		poor: '不良',
	},
	rating: '評価',
	p75: '75 パーセンタイル',
	samples: 'ページビュー',
	caption: 'Web Vitals: 75 パーセンタイルとページビューの分布',
	pages: 'ページ別の{{name}}',
	refused:
		'Web Vitals は、ページ、ホスト名、国、デバイス、ブラウザー、OS でのみ絞り込めます。他のフィルターを解除してください。',
	from: '以前の測定値は削除されました。データは {{date}} 以降です。',
};
