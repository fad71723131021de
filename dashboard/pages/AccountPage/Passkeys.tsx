import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PasskeyRecord, PasskeysRecord } from '../../../api/passkeys.ts';
import { formatExact, formatMoment, formatRelative } from '../../../presentation/format.ts';
import { noProof, ProofFields, toProof } from '../../account/ProofFields.tsx';
import { passkeys } from '../../account-client.ts';
import { canUsePasskeys, createPasskey, PasskeyError } from '../../passkeys.ts';
import { queries } from '../../queries.ts';
import { askAgain, useAccount } from '../../session.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { MenuItem } from '../../ui/Menu.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Row, RowMenu, Rows } from '../../ui/Rows.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './AccountPage.module.css';
import { browsersKey } from './Browsers.tsx';

const passkeysKey = ['passkeys'] as const;

const refresh = () =>
	Promise.all([
		askAgain(),
		queries.invalidateQueries({ queryKey: passkeysKey }),
		queries.invalidateQueries({ queryKey: browsersKey }),
	]);

/** The passkeys of the person, or why there are none here. */
export function Passkeys() {
	const { t } = useTranslation();
	const query = useQuery({ queryKey: passkeysKey, queryFn: passkeys.list });
	const [isAdding, setAdding] = useState(false);
	const [asked, setAsked] = useState<{ passkey: PasskeyRecord; what: 'rename' | 'remove' }>();
	const why = useReason(query.data);
	if (query.error && !query.data)
		return <Failure error={query.error} onTryAgain={() => void query.refetch()} />;
	if (!query.data) return <Skeleton height={60} />;
	const close = () => setAsked(undefined);
	return (
		<>
			{query.data.passkeys.length > 0 && (
				<Rows label={t('account.passkeys.title')}>
					{query.data.passkeys.map((passkey) => (
						<PasskeyRow key={passkey.id} passkey={passkey} onAsk={(what) => setAsked({ passkey, what })} />
					))}
				</Rows>
			)}
			{why && <Notice>{why}</Notice>}
			{!why && isAdding && <NewPasskey onDone={() => setAdding(false)} />}
			{!why && !isAdding && (
				<div className={styles.actions}>
					<Button onClick={() => setAdding(true)}>{t('account.passkeys.add')}</Button>
				</div>
			)}
			{asked?.what === 'rename' && <Rename passkey={asked.passkey} onClose={close} />}
			{asked?.what === 'remove' && <Remove passkey={asked.passkey} onClose={close} />}
		</>
	);
}

/** Why no passkey can be added on this page. */
function useReason(record: PasskeysRecord | undefined): string | undefined {
	const { t } = useTranslation();
	if (record?.unavailable === 'ip_address') return t('account.passkeys.ipAddress');
	if (record?.unavailable === 'insecure') return t('account.passkeys.insecure');
	if (!record?.origin || canUsePasskeys(record.origin)) return undefined;
	return record.origin === location.origin
		? t('account.passkeys.unsupported')
		: t('account.passkeys.elsewhere', { origin: record.origin });
}

function PasskeyRow({ passkey, onAsk }: { passkey: PasskeyRecord; onAsk(what: 'rename' | 'remove'): void }) {
	const { t, i18n } = useTranslation();
	const made = formatMoment(passkey.created_at, i18n.language, { dateStyle: 'medium' });
	const { last_used_at: used, old_host: host } = passkey;
	return (
		<Row
			title={passkey.name}
			chip={passkey.is_synced && t('account.passkeys.synced')}
			lines={[
				used ? (
					<span key="used" title={formatExact(used, i18n.language)}>
						{t('account.passkeys.used', { made, used: formatRelative(used, new Date(), i18n.language) })}
					</span>
				) : (
					t('account.passkeys.unused', { made })
				),
				...(host ? [t('account.passkeys.oldHost', { host })] : []),
			]}
		>
			<RowMenu label={t('account.passkeys.actions', { name: passkey.name })}>
				<MenuItem onSelect={() => onAsk('rename')}>{t('account.passkeys.rename')}</MenuItem>
				<MenuItem onSelect={() => onAsk('remove')}>{t('account.passkeys.remove')}</MenuItem>
			</RowMenu>
		</Row>
	);
}

function NewPasskey({ onDone }: { onDone(): void }) {
	const { t } = useTranslation();
	const form = useForm({ ...noProof, name: '' }, async ({ name, ...proof }) => {
		const options = await passkeys.options(toProof(proof));
		// A passkey proves its person once, and the browser may refuse to create another.
		form.set({ passkey: null });
		const passkey = await createPasskey(options);
		await passkeys.add({ name, passkey });
		await refresh();
		onDone();
	});
	const fault = form.error instanceof PasskeyError ? t(`account.passkeys.${form.error.reason}`) : form.fault;
	return (
		<form className={styles.form} onSubmit={form.submit}>
			<TextField
				label={t('account.passkeys.name')}
				hint={t('account.passkeys.nameHint')}
				required
				autoFocus
				maxLength={100}
				autoComplete="off"
				fault={form.faultOf('name')}
				value={form.values.name}
				onChange={(event) => form.set({ name: event.target.value })}
			/>
			<ProofFields form={form} />
			{fault && <Notice kind="fault">{fault}</Notice>}
			<div className={styles.actions}>
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('account.passkeys.add')}
				</Button>
				<Button kind="quiet" onClick={onDone}>
					{t('common.cancel')}
				</Button>
			</div>
		</form>
	);
}

function Rename({ passkey, onClose }: { passkey: PasskeyRecord; onClose(): void }) {
	const { t } = useTranslation();
	const form = useForm({ name: passkey.name }, async ({ name }) => {
		await passkeys.rename(passkey.id, name);
		await refresh();
		onClose();
	});
	return (
		<Dialog title={t('account.passkeys.renameTitle')} isOpen onClose={onClose} closeLabel={t('common.close')}>
			<form className={styles.form} onSubmit={form.submit}>
				<TextField
					label={t('account.passkeys.name')}
					required
					maxLength={100}
					autoComplete="off"
					fault={form.faultOf('name')}
					value={form.values.name}
					onChange={(event) => form.set({ name: event.target.value })}
				/>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				<div className={styles.actions}>
					<Button kind="primary" type="submit" busy={form.isBusy}>
						{t('common.save')}
					</Button>
					<Button kind="quiet" onClick={onClose}>
						{t('common.cancel')}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}

function Remove({ passkey, onClose }: { passkey: PasskeyRecord; onClose(): void }) {
	const { t } = useTranslation();
	const { two_factor: isOn, second_factor: second } = useAccount();
	const query = useQuery({ queryKey: passkeysKey, queryFn: passkeys.list });
	const isLastFactor = isOn && !second.app && query.data?.passkeys.length === 1;
	const form = useForm(noProof, async (proof) => {
		await passkeys.remove(passkey.id, toProof(proof));
		await refresh();
		onClose();
	});
	return (
		<Dialog
			title={t('account.passkeys.removeTitle', { name: passkey.name })}
			text={t(isLastFactor ? 'account.passkeys.lastFactor' : 'account.passkeys.removeText')}
			isOpen
			onClose={onClose}
			closeLabel={t('common.close')}
		>
			{!isLastFactor && (
				<form className={styles.form} onSubmit={form.submit}>
					<ProofFields form={form} />
					{form.fault && <Notice kind="fault">{form.fault}</Notice>}
					<div className={styles.actions}>
						<Button kind="danger" type="submit" busy={form.isBusy}>
							{t('account.passkeys.remove')}
						</Button>
						<Button kind="quiet" onClick={onClose}>
							{t('common.cancel')}
						</Button>
					</div>
				</form>
			)}
		</Dialog>
	);
}
