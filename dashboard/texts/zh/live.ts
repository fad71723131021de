import type { Texts } from '../texts.ts';

export const live: Texts['live'] = {
	title: '实时',
	heading: '实时：{{domain}}',
	here_one: '位当前访客',
	here_other: '位当前访客',
	lastHalfHour: '最近 30 分钟的访客',
	visitors: '访客',
	pageviews: '浏览量',
	time: '时间',
	now: '现在',
	pages: '页面',
	sources: '来源',
	countries: '国家/地区',
	nobody: '目前没有访客。新的访问会自动显示在此处。',
	noRows: '暂无数据',
	fewer: '为保护隐私，访客少于 3 人的行会被隐藏，数据最多延迟五分钟。',
	ways: {
		stream: '每 2 秒更新',
		polling: '每 5 秒更新（流式传输不可用）',
	},
	currentPages: '当前页面',
	devices: '设备',
	feed: '动态',
	noEvents: '过去 30 分钟没有事件。',
	from: '来自 {{source}}',
};
