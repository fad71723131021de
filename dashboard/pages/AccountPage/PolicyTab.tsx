import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { noProof, ProofFields, toProof } from '../../account/ProofFields.tsx';
import { type AccountPolicyRecord, type PolicyRecord, policy, policyKey } from '../../policy-client.ts';
import { queries } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Card.tsx';
import { SelectField, TextArea } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useFaultText } from '../../ui/use-fault-text.ts';
import { useForm } from '../../ui/use-form.ts';
import styles from './AccountPage.module.css';

const idleMinutes = [15, 30, 60, 240, 480, 1_440, 4_320];
const sessionHours = [1, 4, 8, 12, 24, 72, 168, 336];
/** Where nothing is set. */
const defaults = { idle: 7 * 1_440, longest: 30 * 1_440 };

export function PolicyTab() {
	const { t } = useTranslation();
	const faultText = useFaultText();
	const { data, error } = useQuery({ queryKey: policyKey, queryFn: policy.get });
	return (
		<Section title={t('policy.title')} text={t('policy.text')}>
			{error && <Notice kind="fault">{faultText(error)}</Notice>}
			{data && <PolicyForm record={data} />}
		</Section>
	);
}

function PolicyForm({ record }: { record: AccountPolicyRecord }) {
	const { t, i18n } = useTranslation();
	const { policy: current, service, address } = record;
	const form = useForm(
		{
			...noProof,
			sign_in: current.sign_in,
			session_idle_minutes: String(current.session_idle_minutes ?? ''),
			session_hours: String(current.session_hours ?? ''),
			networks: current.networks?.join('\n') ?? '',
		},
		async ({ sign_in, session_idle_minutes, session_hours, networks, ...proof }) => {
			const listed = networks.split(/[\s,]+/).filter((network) => network !== '');
			const changed = await policy.change({
				...toProof(proof),
				sign_in,
				session_idle_minutes: session_idle_minutes === '' ? null : Number(session_idle_minutes),
				session_hours: session_hours === '' ? null : Number(session_hours),
				networks: listed.length === 0 ? null : listed,
			});
			form.set(noProof);
			queries.setQueryData(policyKey, changed);
		},
	);
	const durations = (minutes: readonly number[], set: string, unit: number, standard: number) => {
		// One that was set with a command.
		const all = [...new Set([...minutes, ...(set === '' ? [] : [Number(set)])])].sort((a, b) => a - b);
		return [
			{ value: '', label: t('policy.default', { duration: formatDuration(standard, i18n.language) }) },
			...all.map((count) => ({
				value: String(count),
				label: formatDuration(count * unit, i18n.language),
			})),
		];
	};
	const rules: readonly PolicyRecord['sign_in'][] = ['any', 'second_factor', 'provider'];
	const { sign_in: signIn } = form.values;
	const hasServicePolicy =
		service.sign_in !== 'any' ||
		service.session_idle_minutes !== null ||
		service.session_hours !== null ||
		service.has_networks;
	return (
		<form className={styles.form} onSubmit={form.submit}>
			{hasServicePolicy && <Notice>{t('policy.service')}</Notice>}
			<SelectField
				label={t('policy.signIn')}
				fault={form.faultOf('sign_in') && signIn !== 'any' ? t(`policy.needs.${signIn}`) : undefined}
				value={signIn}
				options={rules.map((value) => ({ value, label: t(`policy.rules.${value}`) }))}
				onChange={({ target }) => form.set({ sign_in: rules.find((rule) => rule === target.value) ?? 'any' })}
			/>
			<SelectField
				label={t('policy.idle')}
				value={form.values.session_idle_minutes}
				options={durations(idleMinutes, String(current.session_idle_minutes ?? ''), 1, defaults.idle)}
				onChange={({ target }) => form.set({ session_idle_minutes: target.value })}
			/>
			<SelectField
				label={t('policy.longest')}
				value={form.values.session_hours}
				options={durations(sessionHours, String(current.session_hours ?? ''), 60, defaults.longest)}
				onChange={({ target }) => form.set({ session_hours: target.value })}
			/>
			<TextArea
				label={t('policy.networks')}
				hint={t('policy.networksHint', { address })}
				rows={3}
				autoComplete="off"
				autoCapitalize="none"
				spellCheck={false}
				placeholder="203.0.113.0/24"
				fault={form.faultOf('networks') && t('policy.networksFault', { address })}
				value={form.values.networks}
				onChange={({ target }) => form.set({ networks: target.value })}
			/>
			<ProofFields form={form} />
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			{form.isSaved && <Notice kind="good">{t('policy.saved')}</Notice>}
			<div className={styles.actions}>
				<Button type="submit" busy={form.isBusy}>
					{t('policy.submit')}
				</Button>
			</div>
		</form>
	);
}

/** In the largest unit that it is a whole number of. */
function formatDuration(minutes: number, language: string): string {
	const [unit, size] =
		minutes % 1_440 === 0 ? ['day', 1_440] : minutes % 60 === 0 ? ['hour', 60] : ['minute', 1];
	return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(minutes / size);
}
