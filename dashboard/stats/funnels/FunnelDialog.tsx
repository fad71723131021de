import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Funnel, statistics } from '../../api-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import { funnels as funnelsApi } from '../../website-client.ts';
import { goalsKey } from '../goals/goals-key.ts';
import { ReceivedValues } from '../goals/ReceivedValues.tsx';
import styles from './FunnelDialog.module.css';
import { funnelsKey } from './funnels-key.ts';

type Step = { key: number; kind: 'page' | 'goal'; page: string; goal: string };

const least = 2;
const most = 8;
let keys = 0;

const emptyStep = (): Step => ({ key: ++keys, kind: 'page', page: '', goal: '' });

const toSteps = (funnel: Funnel | undefined): Step[] =>
	funnel?.steps.map((step) =>
		'goal' in step
			? { ...emptyStep(), kind: 'goal', goal: String(step.goal) }
			: { ...emptyStep(), page: step.page },
	) ?? [emptyStep(), emptyStep()];

/** Creates, edits or deletes a funnel. */
export function FunnelDialog({
	website,
	funnel,
	onClose,
}: {
	website: number;
	funnel: Funnel | undefined;
	/** Called with the id of the saved funnel. */
	onClose(saved?: number): void;
}) {
	const { t } = useTranslation();
	const queries = useQueryClient();
	const [isDeleting, setDeleting] = useState(false);
	const [current, setCurrent] = useState<number>();
	const goals = useQuery({ queryKey: goalsKey(website), queryFn: () => statistics.goals(website) });
	const [storedSteps] = useState(() => toSteps(funnel));
	const form = useForm({ name: funnel?.name ?? '', steps: storedSteps }, async ({ name, steps }) => {
		const body = {
			name,
			steps: steps.map(({ kind, page, goal }) => (kind === 'goal' ? { goal: Number(goal) } : { page })),
		};
		const saved = await (funnel
			? funnelsApi.change(website, funnel.id, body)
			: funnelsApi.create(website, body));
		await queries.invalidateQueries({ queryKey: funnelsKey(website) });
		onClose(saved.id);
	});
	const remove = useForm({}, async () => {
		if (!funnel) return;
		await funnelsApi.delete(website, funnel.id);
		await queries.invalidateQueries({ queryKey: funnelsKey(website) });
		onClose();
	});
	const { steps } = form.values;
	/** Pages are suggested for one step at a time. */
	const pages = steps.filter(({ kind }) => kind === 'page');
	const suggested = pages.find(({ key }) => key === current) ?? pages.find(({ page }) => page === '');
	const setStep = (key: number, change: Partial<Step>) =>
		form.set({ steps: steps.map((step) => (step.key === key ? { ...step, ...change } : step)) });
	const goalChoices = (goals.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
	const firstGoal = goalChoices[0]?.value ?? '';

	return (
		<Dialog
			title={funnel ? t('lazyPanels.funnels.editTitle') : t('lazyPanels.funnels.addTitle')}
			text={t('lazyPanels.funnels.text')}
			isOpen
			onClose={() => onClose()}
			closeLabel={t('common.close')}
		>
			<form className={styles.form} onSubmit={(event) => void form.submit(event)}>
				<TextField
					label={t('lazyPanels.funnels.name')}
					value={form.values.name}
					onChange={({ target }) => form.set({ name: target.value })}
					fault={form.faultOf('name')}
					maxLength={100}
					required
				/>
				<ol className={styles.steps}>
					{steps.map((step, index) => (
						<li key={step.key}>
							<SelectField
								label={t('lazyPanels.funnels.kindOf', { step: index + 1 })}
								value={step.kind}
								onChange={({ target }) =>
									setStep(step.key, {
										kind: target.value === 'goal' ? 'goal' : 'page',
										goal: step.goal || firstGoal,
									})
								}
								options={[
									{ value: 'page', label: t('lazyPanels.funnels.kinds.page') },
									...(goalChoices.length > 0
										? [{ value: 'goal', label: t('lazyPanels.funnels.kinds.goal') }]
										: []),
								]}
							/>
							{step.kind === 'goal' ? (
								<SelectField
									label={t('lazyPanels.funnels.goalOf', { step: index + 1 })}
									value={step.goal}
									onChange={({ target }) => setStep(step.key, { goal: target.value })}
									options={goalChoices}
								/>
							) : (
								<TextField
									label={t('lazyPanels.funnels.pageOf', { step: index + 1 })}
									value={step.page}
									placeholder="/pricing*"
									autoCapitalize="none"
									spellCheck={false}
									onFocus={() => setCurrent(step.key)}
									onChange={({ target }) => setStep(step.key, { page: target.value })}
									required
								/>
							)}
							<Button
								kind="quiet"
								aria-label={t('lazyPanels.funnels.removeStep', { step: index + 1 })}
								disabled={steps.length <= least}
								onClick={() => form.set({ steps: steps.filter(({ key }) => key !== step.key) })}
							>
								×
							</Button>
							{step === suggested && (
								<div className={styles.received}>
									<ReceivedValues
										website={website}
										dimension="page"
										search={step.page}
										onChoose={(page) => {
											setStep(step.key, { page });
											// On to the next empty step.
											setCurrent(undefined);
										}}
									/>
								</div>
							)}
						</li>
					))}
				</ol>
				{form.faultOf('steps') && <Notice kind="fault">{form.faultOf('steps')}</Notice>}
				<div>
					<Button
						kind="quiet"
						disabled={steps.length >= most}
						onClick={() => form.set({ steps: [...steps, emptyStep()] })}
					>
						+ {t('lazyPanels.funnels.addStep')}
					</Button>
				</div>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				{remove.fault && <Notice kind="fault">{remove.fault}</Notice>}
				<div className={styles.end}>
					{funnel && (
						<Button
							kind="danger"
							busy={remove.isBusy}
							onClick={() => (isDeleting ? void remove.submit() : setDeleting(true))}
						>
							{isDeleting ? t('lazyPanels.funnels.reallyDelete') : t('common.delete')}
						</Button>
					)}
					<span />
					<Button onClick={() => onClose()}>{t('common.cancel')}</Button>
					<Button type="submit" kind="primary" busy={form.isBusy}>
						{t('common.save')}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}
