import type { Texts } from '../texts.ts';

export const vitals: Texts['vitals'] = {
	title: '网页指标',
	text: '75% 的浏览量至少达到这些值的水平。',
	names: {
		lcp: 'Largest Contentful Paint',
		inp: 'Interaction to Next Paint',
		cls: 'Cumulative Layout Shift',
	},
	definitions: {
		lcp: 'LCP：页面最大元素完成渲染所用的时间。不超过 {{good}} 为良好，超过 {{poor}} 为较差。',
		inp: 'INP：页面响应最慢一次交互所用的时间。不超过 {{good}} 为良好，超过 {{poor}} 为较差。',
		cls: 'CLS：布局意外偏移的程度。不超过 {{good}} 为良好，超过 {{poor}} 为较差。',
	},
	ratings: {
		good: '良好',
		needs_improvement: '需要改进',
		poor: '较差',
	},
	rating: '评级',
	p75: '第 75 百分位',
	samples: '浏览量',
	caption: '网页指标：第 75 百分位和浏览量分布',
	pages: '各页面的{{name}}',
	refused: '网页指标只能按页面、主机名、国家/地区、设备、浏览器和操作系统筛选。移除其他筛选条件即可查看。',
	from: '较早的测量数据已删除。数据从 {{date}} 开始。',
};
