/** What operators change about accounts, the same for the page, operator keys and the command line. */
import {
	type Account,
	createAccountWithoutKey,
	deleteAccount,
	getAccount,
	type Limits,
	setDisabled,
	setLimits,
} from '../accounts/accounts.ts';
import { makeLink } from '../accounts/links.ts';
import type { NewPerson } from '../accounts/people.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { announceAll } from '../websites/announce.ts';
import { addTombstonesOf } from '../websites/tombstones.ts';
import { type OperatorAuthor, recordOperatorAction } from './log.ts';

/** Returns the token of the link with which the owner sets a password. */
export async function addAccount(
	tx: Queries,
	now: Clock,
	by: OperatorAuthor,
	{ limits, ...person }: NewPerson & { limits: Limits },
): Promise<{ account: Account; token: string }> {
	const { id } = await createAccountWithoutKey(tx, now, person);
	const account = await setLimits(tx, id, limits);
	await recordNewAccount(tx, now, by, account);
	return { account, token: await makeLink(tx, now, { personId: id, purpose: 'invitation' }) };
}

export const recordNewAccount = (
	tx: Queries,
	now: Clock,
	by: OperatorAuthor,
	{ id, ownerId }: Account,
): Promise<void> =>
	recordOperatorAction(tx, now, {
		by,
		what: 'createAccount',
		accountId: id,
		subjectId: ownerId,
		isHiddenFromOwners: true,
	});

export async function changeLimits(
	tx: Queries,
	now: Clock,
	by: OperatorAuthor,
	{ id, limits }: { id: number; limits: Limits },
): Promise<Account> {
	await getAccount(tx, id);
	if (limits.hits !== undefined) await announceAll(tx, id);
	const account = await setLimits(tx, id, limits);
	await recordOperatorAction(tx, now, { by, what: 'setLimits', accountId: id });
	return account;
}

export async function changeDisabled(
	tx: Queries,
	now: Clock,
	by: OperatorAuthor,
	{ id, isDisabled }: { id: number; isDisabled: boolean },
): Promise<Account> {
	await getAccount(tx, id);
	await setDisabled(tx, now, id, isDisabled);
	await recordOperatorAction(tx, now, {
		by,
		what: isDisabled ? 'disableAccount' : 'enableAccount',
		accountId: id,
	});
	return getAccount(tx, id);
}

/** Also its websites and their statistics. */
export async function removeAccount(tx: Queries, now: Clock, by: OperatorAuthor, id: number): Promise<void> {
	await getAccount(tx, id);
	await addTombstonesOf(tx, now, id);
	await deleteAccount(tx, id);
	await recordOperatorAction(tx, now, {
		by,
		what: 'deleteAccount',
		accountId: id,
		isHiddenFromOwners: true,
	});
}
