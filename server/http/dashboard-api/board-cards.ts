/** The cards of a shared board: each answers its own question and no other. */
import { type BoardCard, boardBody } from '../../../api/boards.ts';
import { filterOf } from '../../../presentation/filter-chips.ts';
import { defaults, parametersOf, viewBodyOf } from '../../../presentation/view-query.ts';
import { notFound } from '../../accounts/authorize.ts';
import type { ShareLimits } from '../../accounts/principal.ts';
import {
	findSharedWebsite,
	listLinkFilters,
	listSharedWebsites,
	type OpenedBoard,
} from '../../items/board-links.ts';
import { toFixedFilter } from '../../items/share-links.ts';
import { AppError } from '../../lib/app-error.ts';
import { findSegment } from '../../stats/question/stats-context.ts';
import type { Queries } from '../../store/postgres.ts';
import type { ApiResponse, Services, WebsiteRequest } from '../api/route.ts';
import { json } from '../api/route.ts';
import { funnelStatsRoutes } from '../api/routes/funnel-stats.ts';
import { statsRoutes } from '../api/routes/stats.ts';

const cardRows = 6;
/** Each one costs another question. */
const maxOthers = 10;

/** The cards of websites that the owner of the board may share now, with their place on the board. */
export async function shownCards(postgres: Queries, opened: OpenedBoard) {
	const websites = await listSharedWebsites(postgres, opened);
	const cards = opened.board.cards.flatMap((card, index) =>
		websites.some(({ id }) => id === card.website_id) ? [{ index, card }] : [],
	);
	return { cards, websites };
}

export async function answerCard(
	opened: OpenedBoard,
	index: number,
	services: Services,
	signal: AbortSignal,
): Promise<ApiResponse> {
	const card = opened.board.cards[index];
	const website = card && (await findSharedWebsite(services.postgres, opened, card.website_id));
	if (!card || !website) throw notFound();
	const limits = await limitsOf(services.postgres, opened, card);
	const call: WebsiteRequest = {
		principal: { kind: 'share', websiteId: website.id, limits },
		website,
		params: { id: String(website.id), item_id: String(card.funnel_id) },
		query: '',
		body: { bytes: Buffer.alloc(0), contentType: 'application/json', contentEncoding: undefined },
		header: () => undefined,
		mountedAt: '',
		passkeyBrowser: undefined,
		charge: () => undefined,
		signal,
	};
	// Current visitors are counted without filters.
	if (card.view === 'live' && limits.filter !== null) throw notFound();
	// The filter of the card is in the limits.
	const query = { ...defaults, period: card.period ?? periodOf(opened) };
	switch (card.view) {
		case 'live': {
			const { visitors } = await services.live.snapshot(website.id, call);
			return json(200, { data: { visitors } });
		}
		case 'funnel': {
			const sent = Object.entries(parametersOf(query)).flatMap(([name, value]) =>
				value === undefined ? [] : [[name, value] as [string, string]],
			);
			return handlerOf(funnelStatsRoutes, 'getFunnelStats')(
				{ ...call, query: new URLSearchParams(sent).toString() },
				services,
			);
		}
		default: {
			const breakdowns =
				card.dimension === null
					? []
					: [{ dimension: card.dimension, metrics: [card.metric], limit: cardRows }];
			const body = viewBodyOf(query, [card.metric], breakdowns);
			const bytes = Buffer.from(JSON.stringify(body));
			return handlerOf(statsRoutes, 'queryStats')({ ...call, body: { ...call.body, bytes } }, services);
		}
	}
}

const periodOf = ({ board }: OpenedBoard) => boardBody.shape.period.parse(board.period);

function handlerOf(routes: typeof statsRoutes, operationId: string) {
	const route = routes.find((candidate) => candidate.operationId === operationId);
	if (!route) throw new Error(`There is no operation ${operationId}.`);
	return route.handle;
}

/** The filter of a card, and those of the other cards and links of its website. */
async function limitsOf(postgres: Queries, opened: OpenedBoard, card: BoardCard): Promise<ShareLimits> {
	const filterOfCard = async ({ website_id: website, filters, segment_id: segment }: BoardCard) => {
		const parts = [
			...(filters.length > 0 ? [filterOf(filters)] : []),
			...(segment === null ? [] : [(await findSegment(postgres, website, segment)) ?? missingSegment()]),
		];
		if (parts.length === 0) return null;
		return toFixedFilter(parts.length > 1 ? ['and', ...parts] : parts[0]);
	};
	const filter = await filterOfCard(card);
	const all = { linkId: opened.id, panels: null, from: null, to: null, lastDays: null };
	// Without a filter everything is exact, so there is nothing to compare.
	if (filter === null) return { ...all, filter, otherFilters: [] };
	const known = new Set<string>([JSON.stringify(filter), 'null']);
	const otherFilters: unknown[] = [];
	const add = (other: unknown) => {
		const text = JSON.stringify(other);
		if (known.has(text)) return;
		// More cannot be compared in one question, so the card shows nothing.
		if (otherFilters.length >= maxOthers) throw notFound();
		known.add(text);
		otherFilters.push(other);
	};
	for (const other of await listLinkFilters(postgres, card.website_id)) add(other);
	for (const other of opened.board.cards)
		if (other.website_id === card.website_id) add(await filterOfCard(other).catch(asNone));
	return { ...all, filter, otherFilters };
}

function missingSegment(): never {
	throw notFound();
}

/** A card whose filter is refused shows nothing that could be compared. */
function asNone(error: unknown): null {
	if (error instanceof AppError) return null;
	throw error;
}
