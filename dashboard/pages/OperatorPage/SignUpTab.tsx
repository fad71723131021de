import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { noProof, ProofFields, toProof } from '../../account/ProofFields.tsx';
import { operator, type SignUpPolicyRecord } from '../../operator-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Card.tsx';
import { Choices, TextArea, TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';
import { isLimit, toLimit, toText } from './limits.ts';
import styles from './OperatorPage.module.css';

const modes = ['closed', 'domains', 'open'] as const;
const policyKey = ['operator', 'policy'];

export function SignUpTab() {
	const { t } = useTranslation();
	const query = useQuery({ queryKey: policyKey, queryFn: operator.policy });
	return (
		<Section text={t('operator.signUp.text')}>
			{query.data ? (
				<PolicyForm policy={query.data} />
			) : query.error ? (
				<Failure error={query.error} onTryAgain={() => void query.refetch()} />
			) : (
				<Skeleton height={300} />
			)}
		</Section>
	);
}

function PolicyForm({ policy }: { policy: SignUpPolicyRecord }) {
	const { t } = useTranslation();
	const client = useQueryClient();
	const form = useForm(
		{
			...noProof,
			mode: policy.mode as SignUpPolicyRecord['mode'],
			domains: policy.domains.join('\n'),
			website_limit: toText(policy.website_limit),
			pageview_limit: toText(policy.pageview_limit),
		},
		async ({ mode, domains, website_limit, pageview_limit, ...proof }) => {
			const changed = await operator.setPolicy({
				...toProof(proof),
				mode,
				domains: domains.split('\n').filter((line) => line.trim() !== ''),
				website_limit: toLimit(website_limit),
				pageview_limit: toLimit(pageview_limit),
			});
			form.set({ password: '', code: '', passkey: null });
			client.setQueryData(policyKey, changed);
		},
		(values) => ({
			website_limit: isLimit(values.website_limit) ? undefined : t('operator.accounts.wrong'),
			pageview_limit: isLimit(values.pageview_limit) ? undefined : t('operator.accounts.wrong'),
		}),
	);
	const { values, set, faultOf } = form;
	return (
		<form className={styles.form} onSubmit={(event) => void form.submit(event)}>
			{!policy.can_mail && <Notice>{t('operator.signUp.noMail')}</Notice>}
			<Choices
				label={t('operator.signUp.who')}
				value={values.mode}
				options={modes.map((value) => ({
					value,
					label: t(`operator.signUp.${value}`),
					hint: t(`operator.signUp.${value}Hint`),
				}))}
				fault={faultOf('mode')}
				onChange={(mode) => set({ mode })}
			/>
			{values.mode === 'domains' && (
				<TextArea
					label={t('operator.signUp.list')}
					hint={t('operator.signUp.listHint')}
					spellCheck={false}
					autoCapitalize="none"
					value={values.domains}
					fault={faultOf('domains')}
					onChange={(event) => set({ domains: event.target.value })}
				/>
			)}
			{values.mode !== 'closed' && (
				<fieldset className={styles.group}>
					<legend>{t('operator.signUp.limits')}</legend>
					<TextField
						label={t('operator.accounts.websiteLimit')}
						hint={t('operator.accounts.noLimit')}
						inputMode="numeric"
						value={values.website_limit}
						fault={faultOf('website_limit')}
						onChange={(event) => set({ website_limit: event.target.value })}
					/>
					<TextField
						label={t('operator.accounts.pageviews')}
						hint={t('operator.accounts.noLimit')}
						inputMode="numeric"
						value={values.pageview_limit}
						fault={faultOf('pageview_limit')}
						onChange={(event) => set({ pageview_limit: event.target.value })}
					/>
				</fieldset>
			)}
			<ProofFields form={form} />
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			{form.isSaved && <Notice kind="good">{t('common.saved')}</Notice>}
			<div className={styles.actions}>
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('common.save')}
				</Button>
			</div>
		</form>
	);
}
