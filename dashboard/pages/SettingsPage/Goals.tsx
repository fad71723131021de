import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Goal, goals, statistics } from '../../api-client.ts';
import { queries } from '../../queries.ts';
import { GoalNameField } from '../../stats/GoalNameField.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Choices, TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Empty, Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './Goals.module.css';
import type { TabProps } from './tab.ts';

const goalsKey = (website: number) => ['website', website, 'goals'] as const;

export function Goals({ website, canEdit }: TabProps) {
	const { t } = useTranslation();
	const { data, error, refetch } = useQuery({
		queryKey: goalsKey(website.id),
		queryFn: () => statistics.goals(website.id),
	});
	const [edited, setEdited] = useState<Goal | 'new'>();
	const [deleted, setDeleted] = useState<Goal>();
	const add = (
		<Button kind="primary" onClick={() => setEdited('new')}>
			{t('settings.goals.add')}
		</Button>
	);
	if (!data) return error ? <Failure error={error} onTryAgain={() => void refetch()} /> : <Waiting />;
	return (
		<div className={styles.goals}>
			{canEdit && data.length > 0 && <div>{add}</div>}
			{data.length === 0 ? (
				<Empty title={t('settings.goals.none')}>
					<p>{t('settings.goals.noneText')}</p>
					{canEdit && add}
				</Empty>
			) : (
				<ul className={styles.list}>
					{data.map((goal) => (
						<li key={goal.id}>
							<div>
								<b>{goal.name}</b>
								<small>
									{t(`settings.goals.kinds.${goal.kind}.title`)} <code>{goal.pattern}</code>
									{goal.property && (
										<>
											{' '}
											· <code>{`${goal.property.name} = ${goal.property.value}`}</code>
										</>
									)}
								</small>
							</div>
							{canEdit && (
								<div className={styles.tools}>
									<Button
										kind="quiet"
										aria-label={t('settings.goals.editOne', { name: goal.name })}
										onClick={() => setEdited(goal)}
									>
										{t('common.edit')}
									</Button>
									<Button
										kind="quiet"
										aria-label={t('settings.goals.deleteOne', { name: goal.name })}
										onClick={() => setDeleted(goal)}
									>
										{t('common.delete')}
									</Button>
								</div>
							)}
						</li>
					))}
				</ul>
			)}
			{edited && (
				<GoalDialog
					website={website.id}
					goal={edited === 'new' ? undefined : edited}
					onClose={() => setEdited(undefined)}
				/>
			)}
			{deleted && <DeleteDialog website={website.id} goal={deleted} onClose={() => setDeleted(undefined)} />}
		</div>
	);
}

function GoalDialog({
	website,
	goal,
	onClose,
}: {
	website: number;
	goal: Goal | undefined;
	onClose(): void;
}) {
	const { t } = useTranslation();
	const form = useForm(
		{
			name: goal?.name ?? '',
			kind: goal?.kind ?? ('page' as const),
			pattern: goal?.pattern ?? '',
			property: goal?.property?.name ?? '',
			value: goal?.property?.value ?? '',
		},
		async ({ property, value, ...fields }) => {
			const body = { ...fields, property: property === '' ? null : { name: property, value } };
			await (goal ? goals.update(website, goal.id, body) : goals.create(website, body));
			await queries.invalidateQueries({ queryKey: goalsKey(website) });
			onClose();
		},
		({ name, property, value }) => ({
			name: name.trim() === '' ? t('settings.goals.nameNeeded') : undefined,
			value: property !== '' && value === '' ? t('settings.goals.valueNeeded') : undefined,
		}),
	);
	const { kind } = form.values;
	return (
		<Dialog
			isOpen
			title={goal ? t('settings.goals.edit') : t('settings.goals.add')}
			closeLabel={t('common.close')}
			onClose={onClose}
		>
			<form className={styles.form} onSubmit={(event) => void form.submit(event)}>
				<GoalNameField form={form} />
				<Choices<'page' | 'event'>
					label={t('settings.goals.kind')}
					value={kind}
					options={(['page', 'event'] as const).map((kind) => ({
						value: kind,
						label: t(`settings.goals.kinds.${kind}.title`),
						hint: t(`settings.goals.kinds.${kind}.text`),
					}))}
					onChange={(kind) => form.set({ kind })}
				/>
				<TextField
					label={t(`settings.goals.kinds.${kind}.pattern`)}
					hint={t('settings.goals.wildcard')}
					value={form.values.pattern}
					fault={form.faultOf('pattern') && t(`settings.goals.kinds.${kind}.bad`)}
					placeholder={kind === 'page' ? '/thanks*' : 'signup'}
					autoCapitalize="none"
					spellCheck={false}
					maxLength={500}
					required
					onChange={(event) => form.set({ pattern: event.target.value })}
				/>
				<div className={styles.pair}>
					<TextField
						label={t('settings.goals.property')}
						hint={t('settings.goals.propertyHint')}
						value={form.values.property}
						fault={form.faultOf('property')}
						autoCapitalize="none"
						maxLength={100}
						onChange={(event) => form.set({ property: event.target.value })}
					/>
					<TextField
						label={t('settings.goals.value')}
						value={form.values.value}
						fault={form.faultOf('value')}
						autoCapitalize="none"
						maxLength={500}
						onChange={(event) => form.set({ value: event.target.value })}
					/>
				</div>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				<div className={styles.tools}>
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

function DeleteDialog({ website, goal, onClose }: { website: number; goal: Goal; onClose(): void }) {
	const { t } = useTranslation();
	const form = useForm({}, async () => {
		await goals.delete(website, goal.id);
		await queries.invalidateQueries({ queryKey: goalsKey(website) });
		onClose();
	});
	return (
		<Dialog
			isOpen
			title={t('settings.goals.deleteTitle', { name: goal.name })}
			text={t('settings.goals.deleteText')}
			closeLabel={t('common.close')}
			onClose={onClose}
		>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={styles.tools}>
				<Button kind="danger" busy={form.isBusy} onClick={() => void form.submit()}>
					{t('common.delete')}
				</Button>
				<Button kind="quiet" onClick={onClose}>
					{t('common.cancel')}
				</Button>
			</div>
		</Dialog>
	);
}

function Waiting() {
	return (
		<div className={styles.goals}>
			<Skeleton width={110} height={34} />
			{[1, 2, 3].map((line) => (
				<Skeleton key={line} height={44} />
			))}
		</div>
	);
}
