import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Answer, Call } from './client.ts';
import { type Visitor, visitor } from './visitor.ts';
import type { TestAccount } from './world.ts';

const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const date = z.iso.date().nullable();
/** As docs/contract/share-links.md has it. */
const shareLink = z.strictObject({
	id: z.int().positive(),
	name: z.string(),
	url: z.url().nullable(),
	filters: z.array(z.unknown()).nullable(),
	panels: z.array(z.string()).nullable(),
	from: date,
	to: date,
	last_days: z.int().nullable(),
	has_password: z.boolean(),
	expires_at: time.nullable(),
	used_count: z.int(),
	last_used_at: time.nullable(),
	created_at: time,
	updated_at: time,
});
export type ShareLink = z.infer<typeof shareLink>;

export function linkOf(answer: Answer, status = 200): ShareLink {
	assert.equal(answer.status, status, answer.text);
	return z.strictObject({ data: shareLink }).parse(answer.json).data;
}

let made = 0;

/** A new link of a website. */
export async function createLink(
	owner: TestAccount,
	website: { id: number },
	fields: Record<string, unknown> = {},
): Promise<ShareLink> {
	const json = { name: `Link ${++made}`, ...fields };
	return linkOf(await owner.api('POST', `/websites/${website.id}/share-links`, { json }), 201);
}

export const tokenOf = ({ url }: Pick<ShareLink, 'url'>): string => url?.split('/s/')[1] ?? '';

/** The page of a link, as a browser has it open. */
export function linkPage(
	base: () => string,
	link: Pick<ShareLink, 'url'>,
	options: Parameters<typeof visitor>[1] & { browser?: Visitor } = {},
) {
	const browser = options.browser ?? visitor(base, options);
	/** A share has five seconds, which a busy machine may exceed: then it asks again. */
	return async (method: string, path: string, call: Call = {}): Promise<Answer> => {
		const headers = { ...call.headers, 'x-share-link': tokenOf(link) };
		for (let n = 0; n < 30; n++) {
			const answer = await browser(method, path, { ...call, headers });
			if (answer.status !== 503) return answer;
		}
		return browser(method, path, { ...call, headers });
	};
}
