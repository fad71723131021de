import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
	title: '导出数据',
	text: '将本网站保存的全部数据导出为文件：逐条事件或汇总数据。各列的说明见文档。',
	what: {
		label: '内容',
		events: '事件：逐条列出所有已统计的内容',
		visits: '已结束日期的访问',
		totals: '已结束日期的每日总计',
	},
	format: {
		label: '格式',
		parquet: 'Parquet，适用于数据库和笔记本',
		csv: 'CSV，适用于电子表格',
		ndjson: 'NDJSON，每行一个 JSON',
	},
	from: '开始日期',
	to: '结束日期',
	dates: '留空：全部。',
	order: '结束日期早于开始日期。',
	button: '下载',
	begun: '下载已开始。大文件需要一些时间。',
};
