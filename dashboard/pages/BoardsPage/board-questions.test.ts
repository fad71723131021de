import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BoardCard } from '../../../api/boards.ts';
import { defaults, pageBodyOf } from '../../../presentation/view-query.ts';
import { blankCard, questionKey, questionsOf } from './board-questions.ts';

const card = (fields: Partial<BoardCard>): BoardCard => ({ ...blankCard, website_id: 1, ...fields });
const month = { period: '30d' } as const;

test('cards of a website with the same period and filters share one request', () => {
	const cards = [
		card({}),
		card({ view: 'chart', metric: 'pageviews' }),
		card({ view: 'breakdown', dimension: 'source' }),
		card({ view: 'breakdown', dimension: 'source', metric: 'visits' }),
		card({ view: 'breakdown', dimension: 'page' }),
	];
	const questions = questionsOf(cards, month);
	assert.equal(questions.size, 1);
	assert.equal(new Set(cards.map((each) => questionKey(each, month))).size, 1);
	const body = questions.get(questionKey(card({}), month) ?? '')?.body;
	assert.deepEqual(body?.metrics, ['visitors', 'pageviews', 'visits']);
	assert.deepEqual(body?.breakdowns, [
		{ dimension: 'source', metrics: ['visitors', 'visits'], limit: 6 },
		{ dimension: 'page', metrics: ['visitors'], limit: 6 },
	]);
});

test('another website, period or filter is another request', () => {
	const filters = [{ test: 'is' as const, dimension: 'country', values: ['DE'] }];
	const cards = [
		card({}),
		card({ website_id: 2 }),
		card({ period: '7d' }),
		card({ filters }),
		card({ segment_id: 5 }),
	];
	const questions = [...questionsOf(cards, month).values()];
	assert.deepEqual(
		questions.map(({ website, body }) => [website, body.period, body.filters, body.segment]),
		[
			[1, '30d', undefined, undefined],
			[2, '30d', undefined, undefined],
			[1, '7d', undefined, undefined],
			[1, '30d', ['is', 'country', ['DE']], undefined],
			[1, '30d', undefined, 5],
		],
	);
});

test('a card with the period of its board shares the request of one that names it', () => {
	assert.equal(questionsOf([card({}), card({ period: '30d' })], month).size, 1);
});

test('funnels and current visitors have requests of their own', () => {
	assert.equal(questionsOf([card({ view: 'live' }), card({ view: 'funnel', funnel_id: 3 })], month).size, 0);
});

test('a card asks as the statistics page does: by weekday, and with the first day of the reader’s week', () => {
	const [question] = questionsOf([card({ period: '7d' })], { period: '30d', weekStart: 'sunday' }).values();
	const page = pageBodyOf({ ...defaults, period: '7d', weekStart: 'sunday' }, []);
	assert.deepEqual({ ...question?.body, metrics: [] }, { ...page, metrics: [] });
	assert.deepEqual([page.match_weekdays, page.week_start], [1, 'sunday']);
});
