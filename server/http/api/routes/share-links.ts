import {
	createShareLinkBody,
	deletedShareLink,
	listShareLinksQuery,
	shareLinkRecord,
	updateShareLinkBody,
} from '../../../../api/share-links.ts';
import { shareLinkNames, shareLinksIn, urlOfLink } from '../../../items/share-links.ts';
import { withSharePasswordSlot } from '../../../lib/passwords.ts';
import { knownFields, readFields } from '../../request/read-body.ts';
import { nullAsEmpty, type WebsiteRequest, type WebsiteRoute } from '../route.ts';
import { noConditions, routesOf } from './items.ts';

const passwordFields = knownFields({ shape: { password: true } });

/** Hashes the password that was sent. Null: it is removed. An invalid one is refused later, with the other fields. */
async function hashPassword({ body, website }: WebsiteRequest): Promise<string | null | undefined> {
	const { password } = nullAsEmpty(readFields(body, passwordFields));
	const sent = createShareLinkBody.shape.password.safeParse(password).data;
	return sent ? withSharePasswordSlot(`account ${website.accountId}`, (slot) => slot.hash(sent)) : null;
}

export const shareLinkRoutes: readonly WebsiteRoute[] = routesOf({
	names: shareLinkNames,
	collection: ({ shareLinks }, passwordHash) => shareLinksIn(shareLinks, passwordHash),
	prepare: hashPassword,
	hasSecret: true,
	readAction: 'links.read',
	toRecord: ({ token, password_hash: hash, ...link }, { shareLinks }) => ({
		id: link.id,
		name: link.name,
		url: (token && urlOfLink(shareLinks, token)) ?? null,
		filters: link.filters,
		panels: link.panels,
		from: link.from,
		to: link.to,
		last_days: link.last_days,
		has_password: hash !== null,
		expires_at: link.expires_at?.toISOString() ?? null,
		used_count: link.used_count,
		last_used_at: link.last_used_at?.toISOString() ?? null,
		created_at: link.createdAt.toISOString(),
		updated_at: link.updatedAt.toISOString(),
	}),
	description:
		'A share link shows the statistics of a website to whoever has it, limited to a filter, panels and dates.',
	query: listShareLinksQuery,
	conditions: noConditions,
	newBody: createShareLinkBody,
	changedBody: updateShareLinkBody,
	record: shareLinkRecord,
	deleted: deletedShareLink,
});
