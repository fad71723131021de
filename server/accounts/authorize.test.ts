import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Action, actions, authorize, type Role, requirePermission, type Stake } from './authorize.ts';
import type { Scope } from './key-limits.ts';
import type { PersonPrincipal, Principal } from './principal.ts';

const owner = 1;
const stranger = 2;
const website = 10;

const person = (id: number): PersonPrincipal => ({
	kind: 'person',
	personId: id,
	accountId: id,
});
const key = (rights: {
	accountId?: number;
	access?: 'full' | 'read' | 'scoped';
	scopes?: Scope[];
	websiteIds?: number[] | null;
}): Principal => ({
	kind: 'key',
	accountId: owner,
	keyId: 5,
	access: 'full',
	scopes: null,
	websiteIds: null,
	...rights,
});

/** Everybody who can ask, and the role of the person on website 10. */
const principals: Record<string, { who: Principal; role?: Role }> = {
	nobody: { who: { kind: 'nobody' } },
	'a share of the website': { who: { kind: 'share', websiteId: website } },
	'a share of another website': { who: { kind: 'share', websiteId: 11 } },
	'the owner': { who: person(owner), role: 'owner' },
	'a viewer': { who: person(stranger), role: 'viewer' },
	'an editor': { who: person(stranger), role: 'editor' },
	'an admin': { who: person(stranger), role: 'admin' },
	'a stranger': { who: person(stranger) },
	'a full key': { who: key({}) },
	'a reading key': { who: key({ access: 'read' }) },
	'a key for the website': { who: key({ websiteIds: [9, website] }) },
	'a reading key for the website': { who: key({ websiteIds: [website], access: 'read' }) },
	'a key for another website': { who: key({ websiteIds: [11] }) },
	"another account's key": { who: key({ accountId: stranger }) },
	"another account's key that names the website": {
		who: key({ accountId: stranger, websiteIds: [website] }),
	},
	"a member's key": { who: key({ accountId: stranger }), role: 'admin' },
	'the service for the account': { who: { kind: 'account', accountId: owner } },
	'the service for another account': { who: { kind: 'account', accountId: stranger }, role: 'admin' },
	'a key with the scope stats': { who: key({ access: 'scoped', scopes: ['stats'] }) },
	'a key with the scope events': { who: key({ access: 'scoped', scopes: ['events'] }) },
	'a key with the scope manage': { who: key({ access: 'scoped', scopes: ['manage'] }) },
	'a key with the scope export': { who: key({ access: 'scoped', scopes: ['export'] }) },
	'a key with the scope people': { who: key({ access: 'scoped', scopes: ['people'] }) },
};

/**
 * y allowed, - hidden, x forbidden. One column a principal, in the order above. What is about an account is about
 * the principal's own: a stranger may list and create its own websites.
 */
const table: Record<Action, string> = {
	//                         nob sha sha own vie edi adm str ful rea web w+r oth acc nam mem ser s-o sta eve man exp peo
	'account.read':
		'            -   -   -   y   y   y   y   y   y   y   x   x   x   y   x   y   y   y   x   x   x   x   x',
	'account.change':
		'          -   -   -   y   y   y   y   y   x   x   x   x   x   x   x   x   y   y   x   x   x   x   x',
	'keys.read':
		'               -   -   -   y   y   y   y   y   y   x   x   x   x   y   x   y   y   y   x   x   x   x   x',
	'keys.change':
		'             -   -   -   y   y   y   y   y   y   x   x   x   x   y   x   y   y   y   x   x   x   x   x',
	'branding.read':
		'           -   -   -   y   y   y   y   y   y   x   x   x   x   y   x   y   y   y   x   x   x   x   x',
	'branding.change':
		'         -   -   -   y   y   y   y   y   y   x   x   x   x   y   x   y   y   y   x   x   x   x   x',
	'webhooks.read':
		'           -   -   -   y   y   y   y   y   y   x   x   x   x   y   x   y   y   y   x   x   x   x   x',
	'webhooks.change':
		'         -   -   -   y   y   y   y   y   y   x   x   x   x   y   x   y   y   y   x   x   x   x   x',
	'websites.list':
		'           -   -   -   y   y   y   y   y   y   y   y   y   y   y   y   y   y   y   y   x   y   x   x',
	'stats.overview':
		'          -   -   -   y   y   y   y   y   y   y   y   y   y   y   y   y   y   y   y   x   x   x   x',
	'websites.create':
		'         -   -   -   y   y   y   y   y   y   x   x   x   x   y   x   y   y   y   x   x   y   x   x',
	'websites.change':
		'         -   -   -   y   y   y   y   y   y   x   y   x   y   y   y   y   y   y   x   x   y   x   x',
	'templates.read':
		'          -   -   -   y   y   y   y   y   y   y   x   x   x   y   x   y   y   y   x   x   y   x   x',
	'templates.change':
		'        -   -   -   y   y   y   y   y   y   x   x   x   x   y   x   y   y   y   x   x   y   x   x',
	'website.read':
		'            -   -   -   y   y   y   y   -   y   y   y   y   -   -   -   -   y   -   y   x   y   x   x',
	'website.settings':
		'        -   -   -   y   y   y   y   -   y   y   y   y   -   -   -   -   y   -   x   x   y   x   x',
	'stats.read':
		'              -   y   -   y   y   y   y   -   y   y   y   y   -   -   -   -   y   -   y   x   x   x   x',
	'stats.conversions':
		'       -   y   -   y   y   y   y   -   y   y   y   y   -   -   -   -   y   -   y   x   x   x   x',
	'stats.properties':
		'        -   y   -   y   y   y   y   -   y   y   y   y   -   -   -   -   y   -   y   x   x   x   x',
	'stats.vitals':
		'            -   y   -   y   y   y   y   -   y   y   y   y   -   -   -   -   y   -   y   x   x   x   x',
	'stats.live':
		'              -   y   -   y   y   y   y   -   y   y   y   y   -   -   -   -   y   -   y   x   x   x   x',
	'items.conversions':
		'       -   y   -   y   y   y   y   -   y   y   y   y   -   -   -   -   y   -   y   x   y   x   x',
	'items.texts':
		'             -   y   -   y   y   y   y   -   y   y   y   y   -   -   -   -   y   -   y   x   y   x   x',
	'stats.feed':
		'              -   -   -   y   y   y   y   -   y   y   y   y   -   -   -   -   y   -   y   x   x   x   x',
	'stats.journeys':
		'          -   -   -   y   y   y   y   -   y   y   y   y   -   -   -   -   y   -   y   x   x   x   x',
	'stats.changes':
		'           -   -   -   y   y   y   y   -   y   y   y   y   -   -   -   -   y   -   y   x   x   x   x',
	'stats.drops':
		'             -   -   -   y   y   y   y   -   y   y   y   y   -   -   -   -   y   -   y   x   y   x   x',
	'website.update':
		'          -   -   -   y   x   y   y   -   y   x   y   x   -   -   -   -   y   -   x   x   y   x   x',
	'recipients.read':
		'         -   -   -   y   x   x   x   -   y   y   y   y   -   -   -   -   y   -   x   x   y   x   y',
	'recipients.change':
		'       -   -   -   y   x   x   x   -   y   x   y   x   -   -   -   -   y   -   x   x   y   x   y',
	'website.administer':
		'      -   -   -   y   x   x   y   -   y   x   y   x   -   -   -   -   y   -   x   x   y   x   x',
	'links.read':
		'              -   -   -   y   x   x   y   -   y   x   y   x   -   -   -   -   y   -   x   x   x   x   x',
	'links.change':
		'            -   -   -   y   x   x   y   -   y   x   y   x   -   -   -   -   y   -   x   x   x   x   x',
	'website.addresses':
		'       -   -   -   y   x   y   y   -   y   y   y   y   -   -   -   -   y   -   x   x   y   x   x',
	'website.collect':
		'         -   -   -   y   x   y   y   -   y   x   y   x   -   -   -   -   y   -   x   y   x   x   x',
	'website.export':
		'          -   -   -   y   x   x   y   -   y   y   y   y   -   -   -   -   y   -   x   x   x   y   x',
	'website.rename':
		'          -   -   -   y   x   x   y   -   y   x   y   x   -   -   -   -   y   -   x   x   y   x   x',
	'website.reset':
		'           -   -   -   y   x   x   y   -   y   x   y   x   -   -   -   -   y   -   x   x   y   x   x',
	'website.import':
		'          -   -   -   y   x   x   y   -   y   x   y   x   -   -   -   -   y   -   x   x   y   x   x',
	'website.delete':
		'          -   -   -   y   x   x   y   -   y   x   y   x   -   -   -   -   y   -   x   x   y   x   x',
	'website.move':
		'            -   -   -   y   x   x   x   -   y   x   x   x   -   -   -   -   y   -   x   x   x   x   x',
	'offer.read':
		'                -   -   -   y   x   x   x   -   y   x   x   x   -   -   -   -   y   -   x   x   x   x   x',
	'website.feed':
		'            -   -   -   y   x   x   x   -   y   x   y   x   -   -   -   -   y   -   x   x   x   x   x',
	'feed.read':
		'                 -   -   -   y   x   x   x   -   y   x   y   x   -   -   -   -   y   -   x   x   x   x   x',
	'reports.read':
		'              -   -   -   y   y   y   y   -   y   y   y   y   -   -   -   -   y   -   y   x   x   x   x',
	'schedule.read':
		'             -   -   -   y   y   y   y   y   y   y   x   x   x   y   x   y   y   y   x   x   y   x   x',
	'schedule.change':
		'           -   -   -   y   y   y   y   y   y   x   x   x   x   y   x   y   y   y   x   x   y   x   x',
	'members.read':
		'            -   -   -   y   x   x   y   -   y   x   y   x   -   -   -   -   y   -   x   x   x   x   y',
	'members.change':
		'          -   -   -   y   x   x   y   -   y   x   y   x   -   -   -   -   y   -   x   x   x   x   y',
	'people.read':
		'             -   -   -   y   y   y   y   y   y   x   x   x   x   y   x   y   y   y   x   x   x   x   y',
	'people.change':
		'           -   -   -   y   y   y   y   y   y   x   x   x   x   y   x   y   y   y   x   x   x   x   y',
	'member.change':
		'             -   -   -   y   y   y   y   y   y   x   y   x   y   y   y   y   y   y   x   x   x   x   y',
	'owners.change':
		'             -   -   -   y   y   y   y   y   x   x   x   x   x   x   x   x   y   y   x   x   x   x   x',
	'boards.read':
		'             -   -   -   y   y   y   y   y   y   y   x   x   x   y   x   y   y   y   y   x   x   x   x',
	'boards.change':
		'           -   -   -   y   y   y   y   y   y   x   x   x   x   y   x   y   y   y   x   x   x   x   x',
	'boards.links':
		'              -   -   -   y   y   y   y   y   y   x   x   x   x   y   x   y   y   y   x   x   x   x   x',
	'website.history':
		'         -   -   -   y   x   x   y   -   y   x   y   x   -   -   -   -   y   -   x   x   x   x   y',
	'account.history':
		'         -   -   -   y   y   y   y   y   y   x   x   x   x   y   x   y   y   y   x   x   x   x   y',
	'operator.read':
		'           -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -',
	'operator.change':
		'         -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -',
	'service.examine':
		'         -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -',
	'definitions.read':
		'        y   y   y   y   y   y   y   y   y   y   y   y   y   y   y   y   y   y   y   y   y   y   y',
};

const words = { y: 'allowed', '-': 'hidden', x: 'forbidden' } as const;

test('[T11] every action has a row, and no row is without an action', () => {
	assert.deepEqual(Object.keys(table).sort(), Object.keys(actions).sort());
	for (const [action, row] of Object.entries(table))
		assert.match(row.trim(), /^([yx-]\s+){22}[yx-]$/, `${action} has a column for each principal`);
});

for (const [action, row] of Object.entries(table)) {
	test(`[T11] ${action}: who may`, () => {
		// Object.entries forgets that the names are those of the table.
		const name = action as Action;
		const marks = row.trim().split(/\s+/) as (keyof typeof words)[];
		const decisions = Object.entries(principals).map(([title, { who, role }]) => {
			const stake: Stake = { id: website, accountId: owner, role: role ?? null };
			return [title, authorize(who, name, actions[name].on === 'website' ? stake : undefined)];
		});
		const expected = Object.keys(principals).map((title, column) => [title, words[marks[column] ?? '-']]);
		assert.deepEqual(decisions, expected);
	});
}

test('[T11] only the operator may examine the service, and nobody else learns that it can be', () => {
	assert.equal(authorize({ ...person(owner), isOperator: true }, 'service.examine'), 'allowed');
	assert.throws(() => requirePermission({ ...person(stranger), isOperator: false }, 'service.examine'), {
		code: 'not_found',
	});
});

test('[T148] an operator key reaches the routes of the operator and nothing else', () => {
	const stake: Stake = { id: website, accountId: owner, role: null };
	for (const access of ['full', 'read'] as const)
		for (const name of Object.keys(actions) as Action[]) {
			const isRead = name === 'operator.read';
			const decision = authorize({ kind: 'operatorKey', keyId: 1, access }, name, stake);
			if (isRead || (name === 'operator.change' && access === 'full'))
				assert.equal(decision, 'allowed', name);
			else assert.equal(decision, name === 'operator.change' ? 'forbidden' : 'hidden', name);
		}
});

test('an action on a website is never decided without the website', () => {
	for (const [name, { on }] of Object.entries(actions)) {
		if (on === 'website') assert.throws(() => authorize(person(owner), name as Action), /needs a website/);
	}
});

test('hidden is answered as missing, forbidden as forbidden', () => {
	const stake: Stake = { id: website, accountId: owner, role: null };
	assert.doesNotThrow(() => requirePermission(person(owner), 'website.delete', { ...stake, role: 'owner' }));
	assert.throws(() => requirePermission(person(stranger), 'website.delete', stake), { code: 'not_found' });
	assert.throws(() => requirePermission(key({ access: 'read' }), 'website.delete', stake), {
		code: 'forbidden',
		message: 'This API key is read-only.',
	});
	assert.throws(
		() => requirePermission(key({ access: 'scoped', scopes: ['events'] }), 'items.texts', stake),
		{
			code: 'forbidden',
			message: 'This API key needs the scope stats or manage.',
		},
	);
	assert.throws(() => requirePermission(person(stranger), 'website.delete', { ...stake, role: 'viewer' }), {
		code: 'forbidden',
	});
});
