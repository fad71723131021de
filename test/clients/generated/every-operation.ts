/**
 * Calls every operation of the API through a client that was generated from `openapi.json`. The test copies this file beside
 * the generated types, compiles it in strict mode and runs it: so the types below are what a user of such a client gets.
 */
import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from './schema.d.ts';

export type Options = {
	baseUrl: string;
	key: string;
	/** An export of another product, with two days of March 2024. */
	archive: Uint8Array;
	/** A PNG. */
	logo: Uint8Array;
	/** Told of every response, with the path as the description writes it. */
	seen(method: string, path: string, response: Response): void;
};

export async function callEveryOperation({ baseUrl, key, archive, logo, seen }: Options): Promise<void> {
	const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
	const watch: Middleware = {
		onResponse: ({ request, schemaPath, response }) => seen(request.method, schemaPath, response),
	};
	api.use(watch);

	// Websites. A form is what the specification sends, JSON is what generated clients send.
	const created = must(
		await api.POST('/websites', {
			body: { domain: 'clients.example', exclude_bots: false, exclude_params: ['ref', 'fbclid'] },
			params: { header: { 'Idempotency-Key': 'clients' } },
		}),
	);
	const website: components['schemas']['Website'] = created.data;
	equal(website.exclude_bots, 0);
	equal(website.exclude_params, 'ref\nfbclid');
	const id = website.id;
	const here = { params: { path: { id } } };
	const listed = must(
		await api.GET('/websites', { params: { query: { per_page: 25, sort_by: 'domain', label: ['a', 'b'] } } }),
	);
	const total: number = listed.meta.total;
	equal(total, 0);
	must(await api.GET('/websites/{id}', here));
	must(await api.PUT('/websites/{id}', { ...here, body: { favorite: 1, exclude_ips: null } }));
	must(await api.PATCH('/websites/{id}', { ...here, body: { email: true } }));
	must(await api.PUT('/websites/{id}/domain', { ...here, body: { domain: 'clients-2.example' } }));
	must(await api.PATCH('/websites/{id}/domain', { ...here, body: { domain: 'clients.example' } }));
	const settings = must(await api.PUT('/websites/{id}/settings', { ...here, body: { labels: ['a'] } }));
	const labels: string[] = settings.data.labels;
	equal(labels, ['a']);
	must(await api.PATCH('/websites/{id}/settings', { ...here, body: { honour_signals: true } }));
	must(await api.GET('/websites/{id}/settings', here));

	// Events of a server.
	const sent = must(
		await api.POST('/websites/{id}/events', {
			...here,
			body: {
				url: 'https://clients.example/thanks',
				ip: '192.0.2.7',
				user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
				name: 'order',
				properties: { plan: 'pro', seats: 3, trial: false },
				revenue: { amount: 49.9, currency: 'EUR' },
			},
		}),
	);
	equal(sent.data.accepted, 1);

	// Collections.
	const goal = must(
		await api.POST('/websites/{id}/goals', {
			...here,
			body: { name: 'Order', kind: 'event', pattern: 'order', property: null },
		}),
	).data;
	const funnel = must(
		await api.POST('/websites/{id}/funnels', {
			...here,
			body: { name: 'Way', steps: [{ page: '/' }, { goal: goal.id }] },
		}),
	).data;
	const filter: components['schemas']['Filter'] = [
		'and',
		['is', 'country', ['DE', 'AT']],
		['not', ['contains', 'page', '/blog']],
	];
	const segment = must(
		await api.POST('/websites/{id}/segments', { ...here, body: { name: 'Germany', filters: filter } }),
	).data;
	const note = must(
		await api.POST('/websites/{id}/notes', { ...here, body: { date: '2026-11-01', text: 'Released' } }),
	).data;
	const alert = must(
		await api.POST('/websites/{id}/alerts', {
			...here,
			body: { kind: 'spike', channel: 'mail', enabled: true },
		}),
	).data;
	const rule = must(
		await api.POST('/websites/{id}/traffic-rules', {
			...here,
			body: { name: 'Spam', kind: 'referrer', test: 'domain', values: ['spam.example'], enabled: true },
		}),
	).data;
	const link = must(
		await api.POST('/websites/{id}/share-links', { ...here, body: { name: 'Client', filters: filter } }),
	).data;
	const enabled: boolean = alert.enabled;
	equal(enabled, true);
	const path = (item_id: number) => ({ params: { path: { id, item_id } } });
	must(await api.GET('/websites/{id}/goals', here));
	must(await api.GET('/websites/{id}/funnels', here));
	must(await api.GET('/websites/{id}/segments', here));
	must(await api.GET('/websites/{id}/notes', { params: { path: { id }, query: { from: '2026-11-01' } } }));
	must(await api.GET('/websites/{id}/alerts', here));
	must(await api.GET('/websites/{id}/goals/{item_id}', path(goal.id)));
	must(await api.GET('/websites/{id}/funnels/{item_id}', path(funnel.id)));
	const { filters } = must(await api.GET('/websites/{id}/segments/{item_id}', path(segment.id))).data;
	const [word] = filters;
	equal(word, 'and');
	must(await api.GET('/websites/{id}/notes/{item_id}', path(note.id)));
	must(await api.GET('/websites/{id}/alerts/{item_id}', path(alert.id)));
	must(await api.PUT('/websites/{id}/goals/{item_id}', { ...path(goal.id), body: { name: 'Orders' } }));
	must(await api.PATCH('/websites/{id}/goals/{item_id}', { ...path(goal.id), body: {} }));
	must(await api.PUT('/websites/{id}/funnels/{item_id}', { ...path(funnel.id), body: { name: 'A way' } }));
	must(await api.PATCH('/websites/{id}/funnels/{item_id}', { ...path(funnel.id), body: {} }));
	must(
		await api.PUT('/websites/{id}/segments/{item_id}', { ...path(segment.id), body: { filters: filter } }),
	);
	must(await api.PATCH('/websites/{id}/segments/{item_id}', { ...path(segment.id), body: {} }));
	must(await api.PUT('/websites/{id}/notes/{item_id}', { ...path(note.id), body: { text: 'Released 2' } }));
	must(await api.PATCH('/websites/{id}/notes/{item_id}', { ...path(note.id), body: {} }));
	must(await api.PUT('/websites/{id}/alerts/{item_id}', { ...path(alert.id), body: { enabled: 0 } }));
	must(await api.PATCH('/websites/{id}/alerts/{item_id}', { ...path(alert.id), body: {} }));
	must(await api.GET('/websites/{id}/share-links', here));
	must(await api.GET('/websites/{id}/share-links/{item_id}', path(link.id)));
	must(await api.PUT('/websites/{id}/share-links/{item_id}', { ...path(link.id), body: { name: 'Press' } }));
	must(await api.PATCH('/websites/{id}/share-links/{item_id}', { ...path(link.id), body: {} }));
	must(await api.GET('/websites/{id}/traffic-rules', here));
	must(await api.GET('/websites/{id}/traffic-rules/{item_id}', path(rule.id)));
	must(
		await api.PUT('/websites/{id}/traffic-rules/{item_id}', { ...path(rule.id), body: { name: 'Spammers' } }),
	);
	must(await api.PATCH('/websites/{id}/traffic-rules/{item_id}', { ...path(rule.id), body: {} }));
	const { matches } = must(
		await api.POST('/websites/{id}/traffic-rules/preview', {
			...here,
			body: { kind: 'path', test: 'is', values: ['/none'] },
		}),
	).data;
	equal(matches?.visits, 0);
	const selected = { conditions: [{ field: 'path' as const, values: ['/none'] }] };
	const { events: found } = must(
		await api.POST('/websites/{id}/deletions/preview', { ...here, body: selected }),
	).data;
	equal(found, 0);
	const nothing = await api.POST('/websites/{id}/deletions', { ...here, body: selected });
	equal(nothing.error?.code, 'validation_failed');
	equal(must(await api.GET('/websites/{id}/deletions', here)).data, []);
	const unknown = await api.POST('/websites/{id}/deletions/{item_id}/undo', path(1));
	equal(unknown.error?.code, 'not_found');
	// There is no mail server here.
	const tested = await api.POST('/websites/{id}/alerts/{item_id}/test', path(alert.id));
	equal(tested.error?.code, 'unavailable');

	const rules = [{ pattern: '/order/*', target: '/order/:id' }];
	const grouped = must(await api.PUT('/websites/{id}/path-groups', { ...here, body: { rules } })).data;
	equal(grouped.rules, rules);
	must(await api.GET('/websites/{id}/path-groups', here));
	must(await api.POST('/websites/{id}/path-groups/preview', { ...here, body: { rules } }));
	must(await api.GET('/websites/{id}/path-groups/proposals', here));
	equal(must(await api.POST('/websites/{id}/path-groups/undo', here)).data.rules, []);

	// Statistics: JSON is never taken for a table.
	const query = { from: '2026-11-01', to: '2026-11-30', filters: JSON.stringify(filter) };
	const stats = must(await api.GET('/websites/{id}/stats', { params: { path: { id }, query } }));
	const visitors: number | null | undefined = stats.data.totals.visitors;
	equal(visitors, 0);
	const page = must(
		await api.POST('/websites/{id}/stats/query', {
			...here,
			body: {
				period: 'today',
				metrics: ['revenue', 'events'],
				breakdowns: [{ dimension: 'page' }],
				filters: filter,
			},
		}),
	);
	const euros: number | undefined = page.data.totals.revenue?.EUR;
	equal(euros, undefined);
	const rows = must(
		await api.GET('/websites/{id}/stats/{dimension}', {
			params: {
				path: { id, dimension: 'page' },
				query: { period: 'today', metrics: ['visitors', 'events'] },
			},
		}),
	);
	const first: string | undefined = rows.data[0]?.value;
	equal(typeof first === 'string' || first === undefined, true);
	const misspelt = await api.GET('/websites/{id}/stats/{dimension}', {
		params: { path: { id, dimension: 'pages' } },
	});
	const messages: string[] | undefined = misspelt.error?.errors?.dimension;
	equal(messages?.length, 1);
	must(await api.GET('/stats', { params: { query: { websites: [id], favorites_first: 1 } } }));
	must(await api.GET('/websites/{id}/funnels/{item_id}/stats', path(funnel.id)));
	const changed = must(await api.GET('/websites/{id}/what-changed', here));
	const sentence: string = changed.data.sentence;
	equal(sentence.length > 0, true);
	const journeys = must(await api.GET('/websites/{id}/journeys', here));
	const steps: number | undefined = journeys.data.steps?.length;
	equal(steps, 3);
	must(await api.GET('/websites/{id}/vitals', here));
	must(await api.GET('/websites/{id}/properties', here));
	must(await api.GET('/websites/{id}/live', here));
	must(await api.GET('/websites/{id}/live/feed', here));
	const drops = must(await api.GET('/websites/{id}/drops', here));
	const bots: number | undefined = drops.data.days[0]?.reasons.bot;
	equal(bots, undefined);
	must(await api.GET('/metrics'));
	must(await api.GET('/dimensions'));
	const leaving = new AbortController();
	const stream = await api.GET('/websites/{id}/live/stream', {
		...here,
		parseAs: 'stream',
		signal: leaving.signal,
	});
	equal(stream.response.status, 200);
	leaving.abort();
	const file = await api.GET('/websites/{id}/export', {
		params: { path: { id }, query: { format: 'ndjson' } },
		parseAs: 'text',
	});
	equal(file.response.status, 200);

	// Imports: the body is the file.
	const looked = must(
		await api.POST('/websites/{id}/imports', {
			params: { path: { id }, query: { source: 'plausible', file_name: 'export.zip' } },
			body: '',
			bodySerializer: () => archive,
			headers: { 'content-type': 'application/octet-stream' },
		}),
	).data;
	const imported: number | undefined = looked.totals.visitors;
	equal(imported, 15);
	must(await api.GET('/websites/{id}/imports', here));
	must(await api.GET('/websites/{id}/imports/{item_id}', path(looked.id)));
	must(await api.POST('/websites/{id}/imports/{item_id}/start', path(looked.id)));
	must(await api.DELETE('/websites/{id}/imports/{item_id}', path(looked.id)));

	// The account and its keys.
	const account = must(await api.GET('/account')).data;
	const limit: number | null = account.limits.websites;
	equal(limit, null);
	const made = must(await api.POST('/keys', { body: { name: 'Generated', website_ids: [id] } })).data;
	const secret: string = made.key;
	equal(secret.startsWith('tm_'), true);
	const named = { params: { path: { key_id: made.id } } };
	must(await api.GET('/keys'));
	must(await api.GET('/keys/{key_id}', named));
	const scoped = { scopes: ['stats' as const], website_ids: null, expires_at: null, networks: ['127.0.0.1'] };
	const narrowed = must(await api.PUT('/keys/{key_id}', { ...named, body: scoped })).data;
	equal(narrowed.access, 'scoped');
	must(await api.PATCH('/keys/{key_id}', { ...named, body: { name: 'Renamed' } }));
	must(await api.POST('/keys/{key_id}/rotate', named));
	must(await api.DELETE('/keys/{key_id}', named));

	// Members and invitations.
	const invited = must(
		await api.POST('/websites/{id}/people/invitations', { ...here, body: { role: 'viewer' } }),
	).data;
	const joinLink: string = invited.link;
	equal(joinLink.includes('/join#token='), true);
	const other = must(await api.POST('/people/invitations', { body: { role: 'admin' } })).data;
	for (const invitation_id of [invited.id, other.id])
		must(await api.DELETE('/invitations/{invitation_id}', { params: { path: { invitation_id } } }));
	const { owners } = must(await api.GET('/people')).data;
	equal(owners[0]?.is_primary, true);
	must(await api.GET('/websites/{id}/people', here));
	const nobody = { params: { path: { member_id: 1 } } };
	const role = { ...nobody, body: { role: 'editor' as const } };
	equal((await api.PUT('/members/{member_id}', role)).error?.code, 'not_found');
	equal((await api.PATCH('/members/{member_id}', role)).error?.code, 'not_found');
	equal((await api.DELETE('/members/{member_id}', nobody)).error?.code, 'not_found');
	const changes = must(await api.GET('/activity')).data;
	equal(changes[0]?.what, 'withdrawInvitation');
	must(await api.GET('/websites/{id}/activity', here));
	const entries = await api.GET('/activity/export', { parseAs: 'text' });
	equal(entries.response.headers.get('content-type'), 'application/x-ndjson');
	must(await api.PUT('/websites/{id}/offer', { ...here, body: { email: 'new@example.test' } }));
	equal(must(await api.GET('/websites/{id}/offer', here)).data?.email, 'new@example.test');
	must(await api.DELETE('/websites/{id}/offer', here));

	// Reports.
	must(await api.PATCH('/reports/settings', { body: { schedule: 'month', digest: true } }));
	equal(must(await api.GET('/reports/settings')).data.digest, true);
	equal(must(await api.GET('/reports/recipients')).data.can_mail, false);
	const asked = await api.POST('/reports/recipients', { body: { email: 'reader@example.test' } });
	equal(asked.error?.code, 'unavailable');
	const noRecipient = { params: { path: { recipient_id: 1 } } };
	equal((await api.DELETE('/reports/recipients/{recipient_id}', noRecipient)).error?.code, 'not_found');
	equal(must(await api.GET('/websites/{id}/reports', here)).meta.total, 0);
	const noReport = { params: { path: { id, report_id: 1 } } };
	equal((await api.GET('/websites/{id}/reports/{report_id}', noReport)).error?.code, 'not_found');
	const feed = must(await api.POST('/websites/{id}/feed', here)).data;
	equal(feed.url.endsWith('.atom'), true);
	equal(must(await api.GET('/websites/{id}/feed', here)).data?.created_at, feed.created_at);
	must(await api.DELETE('/websites/{id}/feed', here));

	// Boards.
	const board = must(
		await api.POST('/boards', { body: { name: 'Clients', cards: [{ website_id: id, view: 'number' }] } }),
	).data;
	const ofBoard = { params: { path: { board_id: board.id } } };
	equal(board.of, 'account');
	must(await api.GET('/boards'));
	equal(must(await api.GET('/boards/{board_id}', ofBoard)).data.cards.length, 1);
	must(await api.PUT('/boards/{board_id}', { ...ofBoard, body: { name: 'Clients 2', cards: board.cards } }));
	const boardLink = must(
		await api.POST('/boards/{board_id}/share-links', { ...ofBoard, body: { name: 'All' } }),
	).data;
	must(await api.GET('/boards/{board_id}/share-links', ofBoard));
	must(
		await api.DELETE('/boards/{board_id}/share-links/{link_id}', {
			params: { path: { board_id: board.id, link_id: boardLink.id } },
		}),
	);
	must(await api.DELETE('/boards/{board_id}', ofBoard));

	// The brand of the account.
	must(await api.PUT('/account/branding', { body: { name: 'Agency', accent: '#0a7f78' } }));
	must(await api.PATCH('/account/branding', { body: { powered_by: false } }));
	const withLogo = await api.PUT('/account/branding/logo', {
		body: '',
		bodySerializer: () => logo,
		headers: { 'content-type': 'application/octet-stream' },
	});
	equal(must(withLogo).data.logo?.type, 'image/png');
	must(await api.DELETE('/account/branding/logo'));
	equal(must(await api.GET('/account/branding')).data.name, 'Agency');

	// Webhooks.
	const webhook = must(
		await api.POST('/webhooks', { body: { name: 'Ours', url: 'https://hooks.example.com/x' } }),
	).data;
	const ofWebhook = { params: { path: { webhook_id: webhook.id } } };
	equal(typeof webhook.secret, 'string');
	must(await api.GET('/webhooks'));
	must(await api.PUT('/webhooks/{webhook_id}', { ...ofWebhook, body: { events: ['website.created'] } }));
	must(await api.PATCH('/webhooks/{webhook_id}', { ...ofWebhook, body: { name: 'Theirs' } }));
	equal(must(await api.GET('/webhooks/{webhook_id}', ofWebhook)).data.name, 'Theirs');
	must(await api.POST('/webhooks/{webhook_id}/rotate', ofWebhook));
	must(await api.POST('/webhooks/{webhook_id}/test', ofWebhook));
	const [delivery] = must(await api.GET('/webhooks/{webhook_id}/deliveries', ofWebhook)).data;
	const replayed = await api.POST('/webhooks/{webhook_id}/deliveries/{delivery_id}/replay', {
		params: { path: { webhook_id: webhook.id, delivery_id: delivery?.id ?? 0 } },
	});
	must(replayed);
	must(await api.DELETE('/webhooks/{webhook_id}', ofWebhook));

	// Many websites, and what new ones begin with.
	const template = must(await api.POST('/website-templates', { body: { name: 'Shops' } })).data;
	const ofTemplate = { params: { path: { template_id: template.id } } };
	must(await api.GET('/website-templates'));
	must(await api.PUT('/website-templates/{template_id}', { ...ofTemplate, body: { name: 'Stores' } }));
	must(await api.PATCH('/website-templates/{template_id}', { ...ofTemplate, body: { name: 'Shops' } }));
	equal(must(await api.GET('/website-templates/{template_id}', ofTemplate)).data.name, 'Shops');
	const many = must(await api.POST('/bulk/websites', { body: { websites: [{ domain: 'many.example' }] } }));
	equal(many.meta.succeeded, 1);
	must(await api.PUT('/bulk/websites', { body: { website_ids: [id], website: { email: 0 } } }));
	must(await api.PATCH('/bulk/websites', { body: { website_ids: [id], website: { email: 1 } } }));
	must(await api.DELETE('/website-templates/{template_id}', ofTemplate));

	// To a key of an account, the routes of operators do not exist.
	const hidden = (answer: { error?: { code: string } }) => equal(answer.error?.code, 'not_found');
	const ofAccount = { params: { path: { account_id: 1 } } };
	hidden(await api.GET('/operator/accounts'));
	hidden(await api.POST('/operator/accounts', { body: { name: 'New', email: 'new@example.test' } }));
	hidden(await api.GET('/operator/accounts/{account_id}', ofAccount));
	hidden(await api.PUT('/operator/accounts/{account_id}/limits', { ...ofAccount, body: {} }));
	hidden(await api.PATCH('/operator/accounts/{account_id}/limits', { ...ofAccount, body: {} }));
	hidden(await api.POST('/operator/accounts/{account_id}/disable', ofAccount));
	hidden(await api.POST('/operator/accounts/{account_id}/enable', ofAccount));
	hidden(await api.DELETE('/operator/accounts/{account_id}', ofAccount));
	hidden(await api.GET('/operator/sign-up'));
	hidden(await api.PUT('/operator/sign-up', { body: { mode: 'closed' } }));
	hidden(await api.PATCH('/operator/sign-up', { body: { mode: 'closed' } }));
	hidden(await api.GET('/operator/activity'));
	hidden(await api.GET('/operator/activity/export'));

	must(await api.DELETE('/websites/{id}/alerts/{item_id}', path(alert.id)));
	must(await api.DELETE('/websites/{id}/notes/{item_id}', path(note.id)));
	must(await api.DELETE('/websites/{id}/segments/{item_id}', path(segment.id)));
	must(await api.DELETE('/websites/{id}/funnels/{item_id}', path(funnel.id)));
	must(await api.DELETE('/websites/{id}/goals/{item_id}', path(goal.id)));
	must(await api.DELETE('/websites/{id}/traffic-rules/{item_id}', path(rule.id)));
	must(await api.DELETE('/websites/{id}/share-links/{item_id}', path(link.id)));
	must(await api.POST('/websites/{id}/reset', here));
	const gone = must(await api.DELETE('/websites/{id}', here));
	const deleted: true = gone.data.deleted;
	equal(deleted, true);
}

/** The data of a response that succeeded. */
function must<Data>(answer: { data?: Data; error?: unknown; response: Response }): Data {
	if (answer.data === undefined)
		throw new Error(`${answer.response.status} ${answer.response.url}: ${JSON.stringify(answer.error)}`);
	return answer.data;
}

function equal(actual: unknown, expected: unknown): void {
	if (JSON.stringify(actual) !== JSON.stringify(expected))
		throw new Error(`${JSON.stringify(actual)} is not ${JSON.stringify(expected)}.`);
}
