import { Changes } from '../../panels/Changes.tsx';
import { MoveWebsite } from '../../panels/MoveWebsite.tsx';
import { People } from '../../panels/People.tsx';
import type { RoomProps } from './room.ts';

/** Who the members of the website are, and giving it away. */
export function PeopleRoom({ website, isOwner }: RoomProps) {
	return (
		<>
			<People websiteId={website.id} />
			{isOwner && <MoveWebsite websiteId={website.id} />}
		</>
	);
}

export const ChangesRoom = ({ website }: RoomProps) => <Changes websiteId={website.id} />;
