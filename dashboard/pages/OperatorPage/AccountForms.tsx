import { useTranslation } from 'react-i18next';
import { noProof, ProofFields, toProof } from '../../account/ProofFields.tsx';
import { ApiError, type Proof } from '../../api-client.ts';
import { type OperatedAccount, operator } from '../../operator-client.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import { isLimit, toLimit, toText } from './limits.ts';
import styles from './OperatorPage.module.css';

export function LimitsForm({
	account: { id, limits },
	onDone,
	onCancel,
}: {
	account: OperatedAccount;
	onDone(): Promise<void>;
	onCancel(): void;
}) {
	const { t } = useTranslation();
	const form = useForm(
		{
			website_limit: toText(limits.websites),
			pageview_limit: toText(limits.pageviews_per_month),
			hit_limit: toText(limits.hits_per_second),
		},
		async (values) => {
			const entries = Object.entries(values).map(([name, value]) => [name, toLimit(value)]);
			await operator.setLimits(id, Object.fromEntries(entries));
			await onDone();
		},
		(values) => ({
			website_limit: isLimit(values.website_limit) ? undefined : t('operator.accounts.wrong'),
			pageview_limit: isLimit(values.pageview_limit) ? undefined : t('operator.accounts.wrong'),
			hit_limit: isLimit(values.hit_limit, 1) ? undefined : t('operator.accounts.wrong'),
		}),
	);
	const field = (name: keyof typeof form.values, label: string, hint: string) => (
		<TextField
			label={label}
			hint={hint}
			inputMode="numeric"
			value={form.values[name]}
			fault={form.faultOf(name)}
			onChange={(event) => form.set({ [name]: event.target.value })}
		/>
	);
	return (
		<form className={styles.form} onSubmit={(event) => void form.submit(event)}>
			{field('website_limit', t('operator.accounts.websiteLimit'), t('operator.accounts.noLimit'))}
			{field('pageview_limit', t('operator.accounts.pageviews'), t('operator.accounts.noLimit'))}
			{field('hit_limit', t('operator.accounts.hits'), t('operator.accounts.hitsHint'))}
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={styles.actions}>
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('common.save')}
				</Button>
				<Button kind="quiet" onClick={onCancel}>
					{t('common.cancel')}
				</Button>
			</div>
		</form>
	);
}

/** What a stolen session must not be able to do. */
export function ProofForm({
	action,
	work,
	onCancel,
}: {
	action: string;
	work(proof: Proof): Promise<void>;
	onCancel(): void;
}) {
	const { t } = useTranslation();
	const form = useForm(noProof, (values) => work(toProof(values)));
	const isOwn = form.error instanceof ApiError && form.error.code === 'forbidden';
	return (
		<form className={styles.form} onSubmit={(event) => void form.submit(event)}>
			<ProofFields form={form} autoFocus />
			{form.fault && <Notice kind="fault">{isOwn ? t('operator.accounts.own') : form.fault}</Notice>}
			<div className={styles.actions}>
				<Button kind="danger" type="submit" busy={form.isBusy}>
					{action}
				</Button>
				<Button kind="quiet" onClick={onCancel}>
					{t('common.cancel')}
				</Button>
			</div>
		</form>
	);
}
