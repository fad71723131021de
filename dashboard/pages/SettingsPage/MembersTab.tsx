import { ActivityList } from '../../account/ActivityLog.tsx';
import { Members } from '../../account/Members.tsx';
import { TransferWebsite } from '../../account/TransferWebsite.tsx';
import styles from './MembersTab.module.css';
import type { TabProps } from './tab.ts';

/** Members of the website, and its transfer. */
export function MembersTab({ website, isOwner }: TabProps) {
	return (
		<>
			<Members websiteId={website.id} />
			{isOwner && <TransferWebsite websiteId={website.id} />}
		</>
	);
}

export function ActivityTab({ website }: TabProps) {
	return (
		<div className={styles.list}>
			<ActivityList websiteId={website.id} />
		</div>
	);
}
