import { Members } from '../../account/Members.tsx';
import { Memberships } from '../../account/Memberships.tsx';

/** Whom the account shares all its websites with, and what is shared with it. */
export function MembersTab() {
	return (
		<>
			<Members />
			<Memberships />
		</>
	);
}
