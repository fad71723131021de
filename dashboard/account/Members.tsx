import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type {
	InvitationRecord,
	MemberRecord,
	MemberRole,
	OwnerRecord,
	PeopleRecord,
} from '../../api/people.ts';
import { formatMoment } from '../../presentation/format.ts';
import { workIn } from '../api-client.ts';
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
	const { person } = useAccount();
	const { email } = person;
	const faultText = useFaultText();
	const [removing, setRemoving] = useState<MemberRecord>();
	const change = useMutation({
		mutationFn: ({ id, role }: { id: number; role: MemberRole }) => people.changeRole(id, role),
		onSettled: onChanged,
	});
	const own = record.owners.find(({ id }) => id === person.id);
	const isOwner = own !== undefined;
	const isElsewhere = (member: MemberRecord) => websiteId !== undefined && member.of === 'account';
	return (
		<>
			<Rows label={t('people.members.title')}>
				{record.owners.map((owner) => (
					<OwnerRow
						key={owner.id}
						owner={owner}
						viewer={websiteId === undefined ? own : undefined}
						isYou={owner.id === person.id}
						onChanged={onChanged}
					/>
				))}
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

/** An owner; on the page of the account also what the viewing owner can change. */
function OwnerRow({
	owner,
	viewer,
	isYou,
	onChanged,
}: {
	owner: OwnerRecord;
	viewer: OwnerRecord | undefined;
	isYou: boolean;
	onChanged(): Promise<void>;
}) {
	const { t } = useTranslation();
	const { account } = useAccount();
	const [asking, setAsking] = useState<'primary' | 'remove' | 'leave'>();
	const { name, email } = owner.person;
	const close = () => setAsking(undefined);
	const finish = async () => {
		close();
		await onChanged();
	};
	return (
		<>
			<Row title={name} chip={isYou ? t('people.members.you') : undefined} lines={[email]}>
				<span className={styles.word}>
					{t(owner.is_primary ? 'people.members.primaryOwner' : 'people.members.owner')}
				</span>
				{viewer && !owner.is_primary && (
					<RowMenu label={t('people.members.actions', { name })}>
						{viewer.is_primary && (
							<MenuItem onSelect={() => setAsking('primary')}>{t('people.members.makePrimary')}</MenuItem>
						)}
						<MenuItem onSelect={() => setAsking(isYou ? 'leave' : 'remove')}>
							{t(isYou ? 'people.memberships.leave' : 'people.members.remove')}
						</MenuItem>
					</RowMenu>
				)}
			</Row>
			{asking === 'primary' && (
				<Confirmation
					title={t('people.members.makePrimaryTitle', { name })}
					text={t('people.members.makePrimaryText')}
					action={t('people.members.makePrimary')}
					needsProof
					onConfirm={async (proof) => {
						await people.makePrimaryOwner(owner.id, proof);
						await finish();
					}}
					onClose={close}
				/>
			)}
			{asking === 'remove' && (
				<Confirmation
					title={t('people.members.removeTitle', { name })}
					text={t('people.members.removeOwnerText')}
					action={t('people.members.remove')}
					needsProof
					onConfirm={async (proof) => {
						await people.removeOwner(owner.id, proof);
						await finish();
					}}
					onClose={close}
				/>
			)}
			{asking === 'leave' && (
				<Confirmation
					title={t('people.memberships.leaveTitle', { what: account.name })}
					text={t('people.memberships.leaveText')}
					action={t('people.memberships.leave')}
					onConfirm={async () => {
						await people.removeOwner(owner.id);
						workIn(undefined);
						location.assign('/websites');
					}}
					onClose={close}
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
