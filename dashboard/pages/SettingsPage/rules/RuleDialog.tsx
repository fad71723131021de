import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../../presentation/format.ts';
import { ApiError } from '../../../api-client.ts';
import { type TrafficRule, trafficRules } from '../../../rules-client.ts';
import goalStyles from '../../../stats/goals/GoalDialog.module.css';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { TextArea, TextField } from '../../../ui/Field.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { useFaultText } from '../../../ui/use-fault-text.ts';
import { useForm } from '../../../ui/use-form.ts';
import { valuesOf } from '../lines.ts';
import { ConditionSelects } from './ConditionSelects.tsx';
import { comparisons, isStored, ruleKinds } from './kinds.ts';
import styles from './TrafficRules.module.css';

/** Creates or edits a rule, and shows how many visits it would have matched. */
export function RuleDialog(props: {
	website: number;
	rule: TrafficRule | undefined;
	/** Whether the rule can be applied to past traffic. */
	isAdmin: boolean;
	onSaved(): Promise<unknown>;
	onClose(): void;
}) {
	const { t } = useTranslation();
	const { website, rule, isAdmin, onSaved, onClose } = props;
	const form = useForm(
		{
			name: rule?.name ?? '',
			kind: rule?.kind ?? ('path' as TrafficRule['kind']),
			test: rule?.test ?? ('is' as TrafficRule['test']),
			values: rule?.values.join('\n') ?? '',
		},
		async (fields) => {
			const body = { ...fields, values: valuesOf(fields.values) };
			await (rule ? trafficRules.update(website, rule.id, body) : trafficRules.create(website, body));
			await onSaved();
			onClose();
		},
		({ name, values }) => ({
			name: name.trim() === '' ? t('settings.goals.nameNeeded') : undefined,
			values: valuesOf(values).length === 0 ? t('trafficRules.valuesNeeded') : undefined,
		}),
	);
	const { kind, test, values } = form.values;
	const nameFault = form.faultOf('name');
	const applies = isAdmin ? 'trafficRules.applies' : 'trafficRules.appliesForEditors';
	const isOfEntry = kind === 'referrer' || kind === 'campaign';
	return (
		<Dialog
			isOpen
			title={rule ? t('trafficRules.edit') : t('trafficRules.add')}
			text={t(isStored(kind) ? applies : 'trafficRules.appliesToNew')}
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
				<ConditionSelects
					label={t('trafficRules.kind')}
					fields={ruleKinds}
					field={kind}
					test={test}
					onChange={({ field, test }) => form.set({ kind: field, test })}
				/>
				<TextArea
					label={t('trafficRules.values')}
					hint={t(`trafficRules.${hintOf(kind, test)}`)}
					value={values}
					fault={useValuesFault(form.faultOf('values'))}
					placeholder={hintOf(kind, test) === 'operatorNames' ? 'Example Hosting' : comparisons[kind].example}
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

function hintOf(kind: TrafficRule['kind'], test: TrafficRule['test']) {
	if (kind === 'country') return 'country';
	if (kind !== 'operator') return 'perLine';
	return test === 'is' ? 'operatorNumbers' : 'operatorNames';
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
	const body = { ...settled, values: valuesOf(settled.values) };
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
		if (data.missing)
			return t('trafficRules.operatorsMissing', { command: 'tidemark geo update --operators' });
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
