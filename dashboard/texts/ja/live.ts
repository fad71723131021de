import type { Texts } from '../texts.ts';

export const live: Texts['live'] = {
	title: 'リアルタイム',
	heading: 'リアルタイム: {{domain}}',
	here_one: '現在の訪問者',
	here_other: '現在の訪問者',
	lastHalfHour: '過去 30 分間の訪問者',
	visitors: '訪問者',
	pageviews: 'ページビュー',
	time: '時刻',
	now: '今',
	pages: 'ページ',
	sources: '参照元',
	countries: '国',
	nobody: '現在の訪問者はいません。新しい訪問は自動的に表示されます。',
	noRows: 'まだデータがありません',
	fewer: 'プライバシー保護のため、訪問者が 3 人未満の行は非表示で、データは最大 5 分遅れます。',
	ways: {
		stream: '2 秒ごとに更新',
		polling: '5 秒ごとに更新（ストリーミング利用不可）',
	},
	currentPages: '現在のページ',
	devices: 'デバイス',
	feed: 'フィード',
	noEvents: '過去 30 分間のイベントはありません。',
	from: '{{source}} から',
};
