import type { Texts } from '../texts.ts';

export const live: Texts['live'] = {
	title: 'リアルタイム',
	heading: 'リアルタイム: {{domain}}',
	here_one: '人の訪問者（過去 5 分間）',
	here_other: '人の訪問者（過去 5 分間）',
	lastHalfHour: '過去 30 分間の訪問者',
	visitors: '訪問者',
	pageviews: 'ページビュー',
	time: '時刻',
	now: '今',
	halfHourAgo: '30 分前',
	quarterAgo: '15',
	pages: 'ページ',
	sources: '参照元',
	countries: '国',
	nobody: '今は誰もいません。誰かがページを開くと、ここに自動で表示されます。',
	noRows: 'まだありません',
	fewer: '特定の人がわからないよう、訪問者が 3 人未満の行は表示されず、表示は最大 5 分遅れます。',
	ways: {
		stream: '2 秒以内に自動で更新されます',
		polling: 'ストリームが届かないため、5 秒ごとに取得しています',
	},
};
