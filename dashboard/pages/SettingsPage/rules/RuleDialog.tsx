import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../../presentation/format.ts';
import { oneOf } from '../../../../presentation/one-of.ts';
import { ApiError } from '../../../api-client.ts';
import { type TrafficRule, trafficRules } from '../../../rules-client.ts';
import goalStyles from '../../../stats/goals/GoalDialog.module.css';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { SelectField, TextArea, TextField } from '../../../ui/Field.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { useFaultText } from '../../../ui/use-fault-text.ts';
import { useForm } from '../../../ui/use-form.ts';
import { kindNames, ruleKinds } from './kinds.ts';
import styles from './TrafficRules.module.css';
import { useTestName } from './use-test-name.ts';

const linesOf = (text: string) =>
	text
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');

/** Creates or edits a rule, and shows how many visits it would have matched. */
export function RuleDialog(props: {
	website: number;
	rule: TrafficRule | undefined;
	onSaved(): Promise<unknown>;
	onClose(): void;
}) {
	const { t } = useTranslation();
	const testName = useTestName();
	const { website, rule, onSaved, onClose } = props;
	const form = useForm(
		{
			name: rule?.name ?? '',
			kind: rule?.kind ?? ('path' as TrafficRule['kind']),
			test: rule?.test ?? ('is' as TrafficRule['test']),
			values: rule?.values.join('\n') ?? '',
		},
		async (fields) => {
			const body = { ...fields, values: linesOf(fields.values) };
			await (rule ? trafficRules.update(website, rule.id, body) : trafficRules.create(website, body));
			await onSaved();
			onClose();
		},
		({ name, values }) => ({
			name: name.trim() === '' ? t('settings.goals.nameNeeded') : undefined,
			values: linesOf(values).length === 0 ? t('trafficRules.valuesNeeded') : undefined,
		}),
	);
	const { kind, test, values } = form.values;
	const nameFault = form.faultOf('name');
	const isOfEntry = kind === 'referrer' || kind === 'campaign';
	return (
		<Dialog
			isOpen
			title={rule ? t('trafficRules.edit') : t('trafficRules.add')}
			text={t('trafficRules.applies')}
			closeLabel={t('common.close')}
			onClose={onClose}
		>
			<form className={styles.form} onSubmit={(event) => void form.submit(event)}>
				<TextField
					label={t('settings.goals.name')}
					value={form.values.name}
					fault={nameFault && form.error !== undefined ? t('trafficRules.nameTaken') : nameFault}
					maxLength={100}
					required
					onChange={({ target }) => form.set({ name: target.value })}
				/>
				<div className={goalStyles.pair}>
					<SelectField
						label={t('trafficRules.kind')}
						value={kind}
						options={kindNames.map((value) => ({ value, label: t(`trafficRules.kinds.${value}`) }))}
						onChange={({ target }) => {
							const chosen = oneOf(kindNames, target.value) ?? 'path';
							form.set({ kind: chosen, test: ruleKinds[chosen].tests[0] });
						}}
					/>
					<SelectField
						label={t('filterDialog.test')}
						value={test}
						options={ruleKinds[kind].tests.map((value) => ({ value, label: testName(value) }))}
						onChange={({ target }) => form.set({ test: oneOf(ruleKinds[kind].tests, target.value) ?? 'is' })}
					/>
				</div>
				<TextArea
					label={t('trafficRules.values')}
					hint={kind === 'country' ? t('trafficRules.country') : t('trafficRules.perLine')}
					value={values}
					fault={useValuesFault(form.faultOf('values'))}
					placeholder={ruleKinds[kind].example}
					autoCapitalize="none"
					spellCheck={false}
					onChange={({ target }) => form.set({ values: target.value })}
				/>
				{isOfEntry && <p className={styles.preview}>{t('trafficRules.firstPage')}</p>}
				<Preview website={website} kind={kind} test={test} values={values} />
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				<div className={goalStyles.tools}>
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

/** The error of the server names the value. */
function useValuesFault(fault: string | undefined): string | undefined {
	const { t } = useTranslation();
	const number = /^Value (\d+) /.exec(fault ?? '')?.[1];
	return number === undefined ? fault : t('trafficRules.badValue', { number });
}

const typingMs = 400;

/** The visits of the last 30 days that match, once nobody has typed for a moment. */
function Preview(props: { website: number; values: string } & Pick<TrafficRule, 'kind' | 'test'>) {
	const { t, i18n } = useTranslation();
	const textOf = useFaultText();
	const { website, kind, test, values } = props;
	const [settled, setSettled] = useState({ kind, test, values });
	useEffect(() => {
		const timer = setTimeout(() => setSettled({ kind, test, values }), typingMs);
		return () => clearTimeout(timer);
	}, [kind, test, values]);
	const body = { ...settled, values: linesOf(settled.values) };
	const hasValues = body.values.length > 0;
	const { data, error } = useQuery({
		queryKey: ['website', website, 'traffic-rules', 'preview', body],
		queryFn: ({ signal }) => trafficRules.preview(website, body, signal),
		enabled: hasValues,
		retry: false,
	});
	const valuesFault = useValuesFault(error instanceof ApiError ? error.fields.values?.[0] : undefined);
	const visits = data?.matches?.visits ?? 0;
	const text = () => {
		if (!hasValues) return '';
		if (error) return valuesFault ?? textOf(error);
		if (!data) return t('trafficRules.loading');
		if (data.reason) return t(`trafficRules.reasons.${data.reason}`);
		return visits > 0
			? t('trafficRules.matches', { count: visits, total: formatCount(visits, i18n.language) })
			: t('trafficRules.noMatch');
	};
	return (
		<p className={styles.preview} role="status">
			{visits > 0 ? <b>{text()}</b> : text()}
		</p>
	);
}
