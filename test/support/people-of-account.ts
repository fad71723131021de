import { givePassword, signedIn, type Visitor } from './visitor.ts';
import type { TestAccount, World } from './world.ts';

export type PersonName = 'operator' | 'owner' | 'coOwner' | 'admin' | 'editor' | 'viewer' | 'stranger';

/**
 * The people around one account, each with a sign-in: the operator, who has no role in it, its primary owner and a second one,
 * members of each role and a stranger. The second owner works in it.
 */
export async function openPeople(w: World): Promise<Record<PersonName, TestAccount & { browser: Visitor }>> {
	const person = async () => {
		const account = await w.account({ timezone: 'UTC' });
		await givePassword(w, account);
		return { ...account, browser: await signedIn(w, account) };
	};
	const people = {
		// The first account of a service.
		operator: await person(),
		owner: await person(),
		coOwner: await person(),
		admin: await person(),
		editor: await person(),
		viewer: await person(),
		stranger: await person(),
	};
	const { owner, coOwner } = people;
	await w.sql(
		'INSERT INTO account_owners (account_id, person_id, is_primary, created_at) VALUES ($1, $2, false, now())',
		[owner.id, coOwner.id],
	);
	await w.sql('UPDATE people SET working_account_id = $1 WHERE id = $2', [owner.id, coOwner.id]);
	return people;
}

/** Makes someone a member of the whole account. */
export const addMember = (w: World, owner: TestAccount, member: TestAccount, role: string) =>
	w.sql('INSERT INTO members (owner_id, member_id, role, created_at) VALUES ($1, $2, $3, now())', [
		owner.id,
		member.id,
		role,
	]);
