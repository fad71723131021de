import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { MembershipRecord } from '../../api/people.ts';
import { people } from '../people-client.ts';
import { queries } from '../queries.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { Row, Rows } from '../ui/Rows.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Failure } from '../ui/States.tsx';
import { Confirmation } from './Confirmation.tsx';
import styles from './Members.module.css';

/** What others have shared with the account, and how to leave it. */
export function Memberships() {
	const { t } = useTranslation();
	const query = useQuery({ queryKey: ['memberships'], queryFn: people.memberships });
	const [leaving, setLeaving] = useState<MembershipRecord>();
	const nameOf = ({ website, owner }: MembershipRecord) =>
		website?.domain ?? t('people.memberships.all', { name: owner.name });
	return (
		<Section title={t('people.memberships.title')} text={t('people.memberships.text')}>
			{query.data?.length === 0 && <p className={styles.quiet}>{t('people.memberships.none')}</p>}
			{query.data && query.data.length > 0 && (
				<Rows label={t('people.memberships.title')}>
					{query.data.map((membership) => (
						<Row
							key={membership.id}
							title={
								membership.website ? (
									<Link href={`/websites/${membership.website.id}`}>{nameOf(membership)}</Link>
								) : (
									nameOf(membership)
								)
							}
							lines={[
								t('people.memberships.about', {
									role: t(`people.roles.${membership.role}`),
									name: membership.owner.name,
								}),
							]}
						>
							<Button
								aria-label={t('people.memberships.leaveLabel', { what: nameOf(membership) })}
								onClick={() => setLeaving(membership)}
							>
								{t('people.memberships.leave')}
							</Button>
						</Row>
					))}
				</Rows>
			)}
			{!query.data &&
				(query.error ? (
					<Failure error={query.error} onTryAgain={() => void query.refetch()} />
				) : (
					<Skeleton height={20} />
				))}
			{leaving && (
				<Confirmation
					title={t('people.memberships.leaveTitle', { what: nameOf(leaving) })}
					text={t('people.memberships.leaveText')}
					action={t('people.memberships.leave')}
					onConfirm={async () => {
						await people.remove(leaving.id);
						setLeaving(undefined);
						// What was shared is in lists and answers of all kinds.
						await queries.invalidateQueries();
					}}
					onClose={() => setLeaving(undefined)}
				/>
			)}
		</Section>
	);
}
