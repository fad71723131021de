/** The favorites of a person, in the order that they chose. They are shown in the dashboard; `favorite` of the API belongs to the website. */
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';

/** A new favorite comes last. */
export async function setFavorite(
	queries: Queries,
	{ personId, websiteId, isFavorite }: { personId: number; websiteId: number; isFavorite: boolean },
): Promise<void> {
	await queries.run(
		isFavorite
			? sql`
				INSERT INTO favorites (person_id, website_id, position)
				SELECT ${value(personId)}, ${value(websiteId)}, coalesce(max(position), 0) + 1
				FROM favorites WHERE person_id = ${value(personId)} ON CONFLICT DO NOTHING`
			: sql`DELETE FROM favorites WHERE person_id = ${value(personId)} AND website_id = ${value(websiteId)}`,
	);
}

/** Puts favorites into this order. Favorites that are not named come after them, in their order; other websites are ignored. */
export async function sortFavorites(
	queries: Queries,
	{ personId, websiteIds }: { personId: number; websiteIds: readonly number[] },
): Promise<void> {
	await queries.run(sql`
		UPDATE favorites SET position = sorted.position FROM (
			SELECT website_id, row_number() OVER (
				ORDER BY array_position(${value(websiteIds)}::bigint[], website_id) NULLS LAST, position, website_id
			) AS position
			FROM favorites WHERE person_id = ${value(personId)}
		) sorted
		WHERE favorites.person_id = ${value(personId)} AND favorites.website_id = sorted.website_id`);
}
