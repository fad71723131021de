import { sortFavoritesBody } from '../../../api/session.ts';
import { setFavorite, sortFavorites } from '../../websites/favorites.ts';
import { getWebsite } from '../../websites/get-website.ts';
import { readId } from '../api/route.ts';
import {
	ok,
	parseBody,
	type SessionRequest,
	type SessionResponse,
	type SessionRoute,
	type SessionServices,
} from './session-route.ts';

/** Everyone who can see a website can have it as a favorite. */
async function change(
	call: SessionRequest,
	{ postgres }: SessionServices,
	isFavorite: boolean,
): Promise<SessionResponse> {
	const websiteId = readId(call);
	await getWebsite(postgres, call.principal, 'website.read', websiteId);
	await setFavorite(postgres, { personId: call.session.personId, websiteId, isFavorite });
	return ok({ favorite: isFavorite ? 1 : 0 });
}

/** The favorites of the signed-in person. They concern nobody else, so they are not in the activity log. */
export const favoriteRoutes: readonly SessionRoute[] = [
	{
		methods: ['PUT'],
		path: '/websites/:id/favorite',
		handle: (call, services) => change(call, services, true),
	},
	{
		methods: ['DELETE'],
		path: '/websites/:id/favorite',
		handle: (call, services) => change(call, services, false),
	},
	{
		methods: ['PUT'],
		path: '/favorites',
		handle: async (call, { postgres }) => {
			const { website_ids: websiteIds } = parseBody(sortFavoritesBody, call);
			await sortFavorites(postgres, { personId: call.session.personId, websiteIds });
			return ok({ sorted: true });
		},
	},
];
