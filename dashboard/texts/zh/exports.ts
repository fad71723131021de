import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
	title: '导出',
	text: '下载此网站的所有存储数据。各列的说明见文档。',
	what: {
		label: '数据',
		events: '事件（原始数据）',
		visits: '访问（已结束的日期）',
		totals: '每日总计（已结束的日期）',
	},
	format: {
		label: '格式',
		parquet: 'Parquet（数据库、笔记本）',
		csv: 'CSV（电子表格）',
		ndjson: 'NDJSON（每行一个 JSON 对象）',
	},
	from: '开始日期',
	to: '结束日期',
	dates: '留空则导出全部。',
	order: '结束日期早于开始日期。',
	button: '下载',
	begun: '下载已开始。大文件需要一些时间。',
};
