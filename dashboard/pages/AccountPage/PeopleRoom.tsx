import { Memberships } from '../../panels/Memberships.tsx';
import { People } from '../../panels/People.tsx';

/** Whom the account shares all its websites with, and what is shared with it. */
export function PeopleRoom() {
	return (
		<>
			<People />
			<Memberships />
		</>
	);
}
