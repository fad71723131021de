import type { Against, ReportTexts } from './texts.ts';

const before: Record<Against, string> = { week: '前の週', month: '前の月', year: '1 年前' };

export const ja: ReportTexts = {
	metrics: {
		visitors: '訪問者',
		visits: '訪問',
		pageviews: 'ページビュー',
		bounce_rate: '直帰率',
		visit_duration: '訪問時間',
		revenue: '収益',
	},
	visitors: (_, shown) => `訪問者 ${shown} 人`,
	subject: {
		week: ({ name, visitors, change }) => `${name}: 先週の${visitors}${change}`,
		month: ({ name, visitors, change, month }) => `${name}: ${month}の${visitors}${change}`,
	},
	websites: (_, shown) => `${shown} 件のサイト`,
	title: { week: '週次レポート', month: '月次レポート' },
	before: { week: '前の週', month: '前の月', year: '1 年前' },
	change: {
		more: (by, against) => `${before[against]}より ${by} 増`,
		fewer: (by, against) => `${before[against]}より ${by} 減`,
		same: (against) => `${before[against]}と同じ`,
		points: (_, shown) => `${shown} ポイント`,
		before: (than) => `前は ${than}`,
		unchanged: '変化なし',
		new: '新規',
	},
	chart: {
		title: '1 日あたりの訪問者',
		legend: {
			week: { now: 'この週', before: '前の週' },
			month: { now: 'この月', before: '前の月' },
		},
		summary: ({ most, mostVisitors, least, leastVisitors }) =>
			`最多: ${most}（${mostVisitors}）。最少: ${least}（${leastVisitors}）。`,
	},
	lists: { pages: 'ページ', sources: '参照元', countries: '国', goals: '目標', changed: '変化したこと' },
	columns: { website: 'サイト', conversions: 'コンバージョン', rate: '率' },
	changed: {
		page: ({ value, visitors, before: then }) => `ページ ${value}: ${visitors}（前は ${then}）。`,
		source: ({ value, visitors, before: then }) => `参照元 ${value}: ${visitors}（前は ${then}）。`,
		newPage: ({ value, visitors }) => `新しいページ ${value}: ${visitors}。`,
		newSource: ({ value, visitors }) => `新しい参照元 ${value}: ${visitors}。`,
		goal: ({ value, count, before: then }) => `${value} のコンバージョン: ${count}（前は ${then}）。`,
	},
	values: { direct: '直接', unknown: '不明' },
	nobody: { week: 'この週は訪問者がいませんでした。', month: 'この月は訪問者がいませんでした。' },
	provisional:
		'暫定値です。このレポートの作成時に、まだ集計中の日がありました。最新の数値はダッシュボードで確認できます。',
	open: { week: 'この週を開く', month: 'この月を開く' },
	openAll: 'すべてのサイトを開く',
	others: (_, shown) => `ほか ${shown} 件のサイト`,
	why: {
		week: ({ name }) => `${name} の週次レポートがオンのため、このメールをお送りしています。`,
		month: ({ name }) => `${name} の月次レポートがオンのため、このメールをお送りしています。`,
	},
	whyDigest: {
		week: 'これらのサイトの週次レポートがオンのため、このメールをお送りしています。',
		month: 'これらのサイトの月次レポートがオンのため、このメールをお送りしています。',
	},
	unsubscribe: '配信を停止する',
	foot: {
		zone: (zone) => `タイムゾーン: ${zone}。`,
		visitor: '訪問者は日ごとに数えます。別の日に再訪した人は、改めて数えます。',
	},
	poweredBy: 'Powered by Tidemark',
	feed: { title: (name) => `${name} のレポート` },
};
