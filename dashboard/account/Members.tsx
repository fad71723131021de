import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { InvitationRecord, MemberRecord, MemberRole, PeopleRecord } from '../../api/people.ts';
import { formatMoment } from '../../presentation/format.ts';
import { people } from '../people-client.ts';
import { queries } from '../queries.ts';
import { useAccount } from '../session.tsx';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { MenuItem } from '../ui/Menu.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Row, RowMenu, Rows } from '../ui/Rows.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Failure } from '../ui/States.tsx';
import { useFaultText } from '../ui/use-fault-text.ts';
import { Confirmation } from './Confirmation.tsx';
import { InviteMember } from './InviteMember.tsx';
import styles from './Members.module.css';
import { memberRoles } from './use-shared-roles.ts';

/** Who may see or change a website, or all websites of the account where none is named. */
export function Members({ websiteId }: { websiteId?: number }) {
	const { t } = useTranslation();
	const key = ['people', websiteId ?? 'account'];
	const query = useQuery({ queryKey: key, queryFn: () => people.list(websiteId) });
	const refresh = () => queries.invalidateQueries({ queryKey: key });
	const [isInviting, setInviting] = useState(false);
	// The tab of a website says it at its head.
	const text = websiteId === undefined && t('people.members.accountText');
	if (query.error && !query.data)
		return <Failure error={query.error} onTryAgain={() => void query.refetch()} />;
	return (
		<>
			<Section text={text}>
				{query.data ? (
					<MemberList record={query.data} websiteId={websiteId} onChanged={refresh} />
				) : (
					<Skeleton height={60} />
				)}
				<div className={styles.actions}>
					<Button onClick={() => setInviting(true)}>{t('people.invitations.add')}</Button>
				</div>
			</Section>
			{query.data && query.data.invitations.length > 0 && (
				<Section title={t('people.invitations.title')} text={t('people.invitations.text')}>
					<Invitations invitations={query.data.invitations} onChanged={refresh} />
				</Section>
			)}
			{isInviting && (
				<InviteMember
					websiteId={websiteId}
					onMade={() => void refresh()}
					onClose={() => {
						setInviting(false);
						void refresh();
					}}
				/>
			)}
		</>
	);
}

function MemberList({
	record,
	websiteId,
	onChanged,
}: {
	record: PeopleRecord;
	websiteId: number | undefined;
	onChanged(): Promise<void>;
}) {
	const { t } = useTranslation();
	const { email } = useAccount().account;
	const faultText = useFaultText();
	const [removing, setRemoving] = useState<MemberRecord>();
	const change = useMutation({
		mutationFn: ({ id, role }: { id: number; role: MemberRole }) => people.changeRole(id, role),
		onSettled: onChanged,
	});
	const isOwner = record.owner.email === email;
	const isElsewhere = (member: MemberRecord) => websiteId !== undefined && member.of === 'account';
	return (
		<>
			<Rows label={t('people.members.title')}>
				<Row
					title={record.owner.name}
					chip={isOwner ? t('people.members.you') : undefined}
					lines={[record.owner.email]}
				>
					<span className={styles.word}>{t('people.members.owner')}</span>
				</Row>
				{record.members.map((member) => (
					<Row
						key={member.id}
						title={member.person.name}
						chip={
							member.person.email === email
								? t('people.members.you')
								: isElsewhere(member)
									? t('people.members.everywhere')
									: undefined
						}
						lines={[member.person.email]}
					>
						{isElsewhere(member) ? (
							<span className={styles.word}>{t(`people.roles.${member.role}`)}</span>
						) : (
							<>
								<RoleSelect member={member} onChange={(role) => change.mutate({ id: member.id, role })} />
								<RowMenu label={t('people.members.actions', { name: member.person.name })}>
									<MenuItem onSelect={() => setRemoving(member)}>{t('people.members.remove')}</MenuItem>
								</RowMenu>
							</>
						)}
					</Row>
				))}
			</Rows>
			{record.members.length === 0 && (
				<p className={styles.quiet}>
					<b>{t('people.members.none')}</b>
					<br />
					{t('people.members.noneText')}
				</p>
			)}
			{isOwner && record.members.some(isElsewhere) && (
				<p className={styles.quiet}>
					<Link className={styles.link} href="/account/people">
						{t('people.members.ofAccount')}
					</Link>
				</p>
			)}
			{change.error && <Notice kind="fault">{faultText(change.error)}</Notice>}
			{removing && (
				<Confirmation
					title={t('people.members.removeTitle', { name: removing.person.name })}
					text={t('people.members.removeText')}
					action={t('people.members.remove')}
					onConfirm={async () => {
						await people.remove(removing.id);
						setRemoving(undefined);
						await onChanged();
					}}
					onClose={() => setRemoving(undefined)}
				/>
			)}
		</>
	);
}

function RoleSelect({ member, onChange }: { member: MemberRecord; onChange(role: MemberRole): void }) {
	const { t } = useTranslation();
	return (
		<select
			className={styles.role}
			aria-label={t('people.members.roleOf', { name: member.person.name })}
			value={member.role}
			onChange={(event) => {
				const role = memberRoles.find((memberRole) => memberRole === event.target.value);
				if (role) onChange(role);
			}}
		>
			{memberRoles.map((role) => (
				<option key={role} value={role}>
					{t(`people.roles.${role}`)}
				</option>
			))}
		</select>
	);
}

function Invitations({
	invitations,
	onChanged,
}: {
	invitations: readonly InvitationRecord[];
	onChanged(): Promise<void>;
}) {
	const { t, i18n } = useTranslation();
	const faultText = useFaultText();
	const withdraw = useMutation({ mutationFn: people.withdraw, onSettled: onChanged });
	const whom = ({ email }: InvitationRecord) => email ?? t('people.invitations.anyone');
	return (
		<>
			<Rows label={t('people.invitations.title')}>
				{invitations.map((invitation) => (
					<Row
						key={invitation.id}
						title={whom(invitation)}
						lines={[
							t('people.invitations.about', {
								role: t(`people.roles.${invitation.role}`),
								name: invitation.invited_by,
								date: formatMoment(invitation.expires_at, i18n.language, { dateStyle: 'medium' }),
							}),
						]}
					>
						<Button
							aria-label={t('people.invitations.withdrawLabel', { whom: whom(invitation) })}
							onClick={() => withdraw.mutate(invitation.id)}
						>
							{t('people.invitations.withdraw')}
						</Button>
					</Row>
				))}
			</Rows>
			{withdraw.error && <Notice kind="fault">{faultText(withdraw.error)}</Notice>}
		</>
	);
}
