import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Action, actions, authorize, type Role, requirePermission, type Stake } from './authorize.ts';
import type { Principal } from './principal.ts';

const owner = 1;
const stranger = 2;
const website = 10;

const account = (accountId: number): Principal => ({ kind: 'account', accountId });
const key = (rights: {
	accountId?: number;
	access?: 'full' | 'read';
	websiteIds?: number[] | null;
}): Principal => ({
	kind: 'key',
	accountId: owner,
	keyId: 5,
	access: 'full',
	websiteIds: null,
	...rights,
});

/** Everybody who can ask, and the role that the owner of website 10 gave them on it. */
const principals: Record<string, { who: Principal; role?: Role }> = {
	nobody: { who: { kind: 'nobody' } },
	'a share of the website': { who: { kind: 'share', websiteId: website } },
	'a share of another website': { who: { kind: 'share', websiteId: 11 } },
	'the owner': { who: account(owner) },
	'a viewer': { who: account(stranger), role: 'viewer' },
	'an editor': { who: account(stranger), role: 'editor' },
	'an admin': { who: account(stranger), role: 'admin' },
	'a stranger': { who: account(stranger) },
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
};

/**
 * y allowed, - hidden, x forbidden. One column a principal, in the order above. What is about an account is about
 * the principal's own: a stranger may list and create its own websites.
 */
const table: Record<Action, string> = {
	//                  nob sha sha own vie edi adm str ful rea web w+r oth acc nam mem
	'account.read': '    -   -   -   y   y   y   y   y   y   y   x   x   x   y   x   y',
	'keys.read': '       -   -   -   y   y   y   y   y   y   x   x   x   x   y   x   y',
	'keys.change': '     -   -   -   y   y   y   y   y   y   x   x   x   x   y   x   y',
	'websites.list': '   -   -   -   y   y   y   y   y   y   y   y   y   y   y   y   y',
	'websites.create': ' -   -   -   y   y   y   y   y   y   x   x   x   x   y   x   y',
	'website.read': '    -   -   -   y   y   y   y   -   y   y   y   y   -   -   -   -',
	'stats.read': '      -   y   -   y   y   y   y   -   y   y   y   y   -   -   -   -',
	'stats.feed': '      -   -   -   y   y   y   y   -   y   y   y   y   -   -   -   -',
	'stats.journeys': '  -   -   -   y   y   y   y   -   y   y   y   y   -   -   -   -',
	'website.update': '  -   -   -   y   x   y   y   -   y   x   y   x   -   -   -   -',
	'recipients.read': ' -   -   -   y   x   x   x   -   y   y   y   y   -   -   -   -',
	'recipients.change': '- -   -   y   x   x   x   -   y   x   y   x   -   -   -   -',
	'website.administer': '-  -   -   y   x   x   y   -   y   x   y   x   -   -   -   -',
	'website.addresses': ' -  -   -   y   x   y   y   -   y   y   y   y   -   -   -   -',
	'website.collect': ' -   -   -   y   x   y   y   -   y   x   y   x   -   -   -   -',
	'website.export': '  -   -   -   y   x   x   y   -   y   y   y   y   -   -   -   -',
	'website.rename': '  -   -   -   y   x   x   y   -   y   x   y   x   -   -   -   -',
	'website.reset': '   -   -   -   y   x   x   y   -   y   x   y   x   -   -   -   -',
	'website.import': '   -   -   -   y   x   x   y   -   y   x   y   x   -   -   -   -',
	'website.delete': '  -   -   -   y   x   x   y   -   y   x   y   x   -   -   -   -',
	'website.move': '    -   -   -   y   x   x   x   -   x   x   x   x   -   -   -   -',
	'website.feed': '    -   -   -   y   x   x   x   -   x   x   x   x   -   -   -   -',
	'members.read': '    -   -   -   y   x   x   y   -   x   x   x   x   -   -   -   -',
	'members.change': '  -   -   -   y   x   x   y   -   x   x   x   x   -   -   -   -',
	'people.read': '     -   -   -   y   y   y   y   y   x   x   x   x   x   x   x   x',
	'people.change': '   -   -   -   y   y   y   y   y   x   x   x   x   x   x   x   x',
	'boards.read': '     -   -   -   y   y   y   y   y   x   x   x   x   x   x   x   x',
	'boards.change': '   -   -   -   y   y   y   y   y   x   x   x   x   x   x   x   x',
	'website.history': ' -   -   -   y   x   x   y   -   x   x   x   x   -   -   -   -',
	'account.history': ' -   -   -   y   y   y   y   y   x   x   x   x   x   x   x   x',
	'service.examine': ' -   -   -   -   -   -   -   -   x   x   x   x   x   x   x   x',
	'definitions.read': 'y   y   y   y   y   y   y   y   y   y   y   y   y   y   y   y',
};

const words = { y: 'allowed', '-': 'hidden', x: 'forbidden' } as const;

test('[T11] every action has a row, and no row is without an action', () => {
	assert.deepEqual(Object.keys(table).sort(), Object.keys(actions).sort());
	for (const [action, row] of Object.entries(table))
		assert.match(row.trim(), /^([yx-]\s+){15}[yx-]$/, `${action} has a column for each principal`);
});

for (const [action, row] of Object.entries(table)) {
	test(`[T11] ${action}: who may`, () => {
		// Object.entries forgets that the names are those of the table.
		const name = action as Action;
		const marks = row.trim().split(/\s+/) as (keyof typeof words)[];
		const decisions = Object.entries(principals).map(([title, { who, role }]) => {
			const stake: Stake = { id: website, accountId: owner, memberRole: role ?? null };
			return [title, authorize(who, name, actions[name].on === 'website' ? stake : undefined)];
		});
		const expected = Object.keys(principals).map((title, column) => [title, words[marks[column] ?? '-']]);
		assert.deepEqual(decisions, expected);
	});
}

test('[T11] only the operator may examine the service, and nobody else learns that it can be', () => {
	assert.equal(
		authorize({ kind: 'account', accountId: owner, isOperator: true }, 'service.examine'),
		'allowed',
	);
	assert.throws(
		() => requirePermission({ kind: 'account', accountId: stranger, isOperator: false }, 'service.examine'),
		{
			code: 'not_found',
		},
	);
});

test('an action on a website is never decided without the website', () => {
	for (const [name, { on }] of Object.entries(actions)) {
		if (on === 'website') assert.throws(() => authorize(account(owner), name as Action), /needs a website/);
	}
});

test('hidden is answered as missing, forbidden as forbidden', () => {
	const stake: Stake = { id: website, accountId: owner, memberRole: null };
	assert.doesNotThrow(() => requirePermission(account(owner), 'website.delete', stake));
	assert.throws(() => requirePermission(account(stranger), 'website.delete', stake), { code: 'not_found' });
	assert.throws(() => requirePermission(key({ access: 'read' }), 'website.delete', stake), {
		code: 'forbidden',
		message: 'This API key is read-only.',
	});
	assert.throws(
		() => requirePermission(account(stranger), 'website.delete', { ...stake, memberRole: 'viewer' }),
		{
			code: 'forbidden',
		},
	);
});
