import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InvitedRole, ShownInvitation } from '../../api/people.ts';
import { formatMoment } from '../../presentation/format.ts';
import { people } from '../people-client.ts';
import { Button } from '../ui/Button.tsx';
import { Copy } from '../ui/Copy.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Choices, TextField } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useForm } from '../ui/use-form.ts';
import styles from './Members.module.css';
import { NoMail } from './NoMail.tsx';
import { noProof, ProofFields, type ProofValues, toProof } from './ProofFields.tsx';
import { memberRoles } from './use-shared-roles.ts';

/** Makes an invitation, and shows its link in the one moment in which it can be copied. */
export function InviteMember(props: { websiteId: number | undefined; onMade(): void; onClose(): void }) {
	const { t, i18n } = useTranslation();
	const [made, setMade] = useState<ShownInvitation>();
	const initial: { email: string; role: InvitedRole } & ProofValues = {
		email: '',
		role: 'viewer',
		...noProof,
	};
	const form = useForm(initial, async ({ email, role, ...proof }) => {
		const body = { email: email.trim(), role, ...(role === 'owner' && toProof(proof)) };
		setMade(await people.invite(props.websiteId, body));
		props.onMade();
	});
	const isOwner = form.values.role === 'owner';
	// A website has the owners of its account.
	const roles: readonly InvitedRole[] =
		props.websiteId === undefined ? [...memberRoles, 'owner'] : memberRoles;
	if (made)
		return (
			<Dialog
				title={t('people.invitations.madeTitle')}
				text={t('people.invitations.made', {
					whom: made.email ?? t('people.invitations.unnamed'),
					date: formatMoment(made.expires_at, i18n.language, { dateStyle: 'medium' }),
				})}
				isOpen
				onClose={props.onClose}
				closeLabel={t('common.close')}
			>
				<Copy label={t('people.invitations.link')} text={made.link} />
				{made.mailed && (
					<Notice kind="good">{t('people.invitations.mailed', { email: made.email ?? '' })}</Notice>
				)}
				<div className={styles.actions}>
					<Button kind="primary" onClick={props.onClose}>
						{t('people.invitations.done')}
					</Button>
				</div>
			</Dialog>
		);
	return (
		<Dialog title={t('people.invitations.add')} isOpen onClose={props.onClose} closeLabel={t('common.close')}>
			<NoMail about="invitations" />
			<form className={styles.form} onSubmit={form.submit}>
				<TextField
					label={t('people.invitations.email')}
					hint={t(isOwner ? 'people.invitations.ownerEmailHint' : 'people.invitations.emailHint')}
					required={isOwner}
					type="email"
					autoComplete="off"
					maxLength={254}
					fault={form.faultOf('email')}
					value={form.values.email}
					onChange={(event) => form.set({ email: event.target.value })}
				/>
				<Choices
					label={t('people.invitations.role')}
					fault={form.faultOf('role')}
					value={form.values.role}
					options={roles.map((role) => ({
						value: role,
						label: t(`people.roles.${role}`),
						hint: t(`people.roleTexts.${role}`),
					}))}
					onChange={(role) => form.set({ role })}
				/>
				{isOwner && <ProofFields form={form} />}
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				<div className={styles.actions}>
					<Button kind="primary" type="submit" busy={form.isBusy}>
						{t('people.invitations.create')}
					</Button>
					<Button kind="quiet" onClick={props.onClose}>
						{t('common.cancel')}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}
