import { ChangeList } from '../../panels/Changes.tsx';
import { MoveWebsite } from '../../panels/MoveWebsite.tsx';
import { People } from '../../panels/People.tsx';
import styles from './PeopleRoom.module.css';
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

export function ChangesRoom({ website }: RoomProps) {
	return (
		<div className={styles.list}>
			<ChangeList websiteId={website.id} />
		</div>
	);
}
