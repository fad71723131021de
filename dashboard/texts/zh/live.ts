import type { Texts } from '../texts.ts';

export const live: Texts['live'] = {
	title: '实时',
	heading: '实时：{{domain}}',
	here_one: '位访客，最近 5 分钟',
	here_other: '位访客，最近 5 分钟',
	lastHalfHour: '最近 30 分钟的访客',
	visitors: '访客',
	pageviews: '浏览量',
	time: '时间',
	now: '现在',
	halfHourAgo: '30 分钟前',
	quarterAgo: '15',
	pages: '页面',
	sources: '来源',
	countries: '国家/地区',
	nobody: '现在没有访客。一旦有人打开页面，就会自动显示在这里。',
	noRows: '暂无数据',
	fewer: '访客少于 3 位的行不会显示，画面最多延迟五分钟，因此不会指向任何具体的人。',
	ways: {
		stream: '自动更新，2 秒之内',
		polling: '每 5 秒查询一次，因为数据流无法送达',
	},
};
