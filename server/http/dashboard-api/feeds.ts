import type { FeedRecord, ShownFeed } from '../../../api/feeds.ts';
import { findFeed, makeFeed, removeFeed } from '../../reports/feeds.ts';
import { json, readId } from '../api/route.ts';
import { ok, type SessionRoute } from './session-route.ts';

/** The secret URL of a website's feed, managed by its owner. `public/feeds.ts` serves the feed itself. */
export const feedRoutes: readonly SessionRoute[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/feed',
		handle: async (call, { postgres }) => {
			const feed = await findFeed(postgres, call.principal, readId(call));
			const record: FeedRecord | null = feed ? { created_at: feed.createdAt.toISOString() } : null;
			return json(200, { data: record });
		},
	},
	{
		methods: ['POST'],
		path: '/websites/:id/feed',
		operation: 'makeFeed',
		handle: async (call, { postgres, now, publicAddress }) => {
			const id = readId(call);
			const { token, createdAt } = await makeFeed(postgres, now, call.principal, id);
			const url = `${publicAddress.current()}/feeds/${token}.atom`;
			const record: ShownFeed = { url, created_at: createdAt.toISOString() };
			return { ...json(201, { data: record }), audited: { websiteId: id } };
		},
	},
	{
		methods: ['DELETE'],
		path: '/websites/:id/feed',
		operation: 'removeFeed',
		handle: async (call, { postgres }) => {
			const id = readId(call);
			await removeFeed(postgres, call.principal, id);
			return { ...ok({ removed: true }), audited: { websiteId: id } };
		},
	},
];
