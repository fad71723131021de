import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../../presentation/format.ts';
import { websites } from '../../../api-client.ts';
import { queries } from '../../../queries.ts';
import { type TrafficRule, trafficRules } from '../../../rules-client.ts';
import { Button } from '../../../ui/Button.tsx';
import { Section } from '../../../ui/Card.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Failure } from '../../../ui/States.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { useDeletions } from '../deletions/deletions-query.ts';
import goalStyles from '../Goals.module.css';
import { StoredSwitch } from '../StoredSwitch.tsx';
import { ApplyToPast } from './ApplyToPast.tsx';
import { ConditionText } from './ConditionText.tsx';
import { HiddenEvents } from './HiddenEvents.tsx';
import { isStored } from './kinds.ts';
import { RuleDialog } from './RuleDialog.tsx';
import styles from './TrafficRules.module.css';

const rulesKey = (website: number) => ['website', website, 'traffic-rules'] as const;

/** Rules that exclude new hits, each with what it excluded. Admins can also apply them to past traffic. */
export function TrafficRules(props: { website: number; domain: string; isAdmin: boolean }) {
	const { website, domain, isAdmin } = props;
	const { t } = useTranslation();
	const rules = useQuery({ queryKey: rulesKey(website), queryFn: () => trafficRules.list(website) });
	const drops = useQuery({
		queryKey: ['website', website, 'drops', '30d'],
		queryFn: () => websites.drops(website, { period: '30d' }),
	});
	const counts = drops.data && new Map(drops.data.data.rules.map(({ id, count }) => [id, count]));
	const { data: deletions = [] } = useDeletions(website);
	const hiddenBy = (rule: TrafficRule) =>
		deletions.filter(
			({ rule_id, state }) => rule_id === rule.id && (state === 'hidden' || state === 'deleting'),
		);
	const [edited, setEdited] = useState<TrafficRule | 'new'>();
	const [applied, setApplied] = useState<TrafficRule>();
	const [deleted, setDeleted] = useState<TrafficRule>();
	const refresh = () => queries.invalidateQueries({ queryKey: rulesKey(website) });
	return (
		<Section
			title={t('trafficRules.title')}
			text={t(isAdmin ? 'trafficRules.text' : 'trafficRules.textForEditors')}
		>
			{rules.data ? (
				<div className={styles.rules}>
					{rules.data.length > 0 && (
						<ul className={`${goalStyles.list} ${styles.list}`}>
							{rules.data.map((rule) => (
								<li key={rule.id}>
									<div>
										<StoredSwitch
											label={rule.name}
											hint={<About rule={rule} count={counts && (counts.get(rule.id) ?? 0)} />}
											isOn={rule.enabled}
											isOpen
											store={async (enabled) => {
												await trafficRules.update(website, rule.id, { enabled });
												await refresh();
											}}
										/>
									</div>
									<div className={goalStyles.tools}>
										{isAdmin && isStored(rule.kind) && (
											<Button
												kind="quiet"
												aria-label={t('deletions.rule.applyOne', { name: rule.name })}
												onClick={() => setApplied(rule)}
											>
												{t('deletions.rule.apply')}
											</Button>
										)}
										<Button
											kind="quiet"
											aria-label={t('settings.goals.editOne', { name: rule.name })}
											onClick={() => setEdited(rule)}
										>
											{t('common.edit')}
										</Button>
										<Button
											kind="quiet"
											aria-label={t('settings.goals.deleteOne', { name: rule.name })}
											onClick={() => setDeleted(rule)}
										>
											{t('common.delete')}
										</Button>
									</div>
									{hiddenBy(rule).map((deletion) => (
										<HiddenEvents key={deletion.id} website={website} deletion={deletion} isAdmin={isAdmin} />
									))}
								</li>
							))}
						</ul>
					)}
					{rules.data.length === 0 && <p className={styles.none}>{t('trafficRules.none')}</p>}
					<div>
						<Button onClick={() => setEdited('new')}>{t('trafficRules.add')}</Button>
					</div>
				</div>
			) : rules.error ? (
				<Failure error={rules.error} onTryAgain={() => void rules.refetch()} />
			) : (
				<Skeleton height={44} />
			)}
			{edited && (
				<RuleDialog
					website={website}
					rule={edited === 'new' ? undefined : edited}
					isAdmin={isAdmin}
					onSaved={refresh}
					onClose={() => setEdited(undefined)}
				/>
			)}
			{applied && (
				<ApplyToPast website={website} domain={domain} rule={applied} onClose={() => setApplied(undefined)} />
			)}
			{deleted && (
				<DeleteDialog
					website={website}
					rule={deleted}
					hidesEvents={hiddenBy(deleted).length > 0}
					onDeleted={refresh}
					onClose={() => setDeleted(undefined)}
				/>
			)}
		</Section>
	);
}

/** What a rule matches, and how much it excluded. */
function About({ rule, count }: { rule: TrafficRule; count: number | undefined }) {
	const { t, i18n } = useTranslation();
	return (
		<>
			<ConditionText field={rule.kind} test={rule.test} values={rule.values} />
			{count !== undefined && (
				<span className={styles.count}>
					{count === 0
						? t('trafficRules.noDrops')
						: t('trafficRules.dropped', { count, total: formatCount(count, i18n.language) })}
				</span>
			)}
		</>
	);
}

function DeleteDialog(props: {
	website: number;
	rule: TrafficRule;
	/** Whether past events are hidden by the rule. */
	hidesEvents: boolean;
	onDeleted(): Promise<unknown>;
	onClose(): void;
}) {
	const { t } = useTranslation();
	const { website, rule, hidesEvents, onDeleted, onClose } = props;
	const form = useForm({}, async () => {
		await trafficRules.delete(website, rule.id);
		await onDeleted();
		onClose();
	});
	return (
		<Dialog
			isOpen
			title={t('settings.goals.deleteTitle', { name: rule.name })}
			text={t('trafficRules.deleteText')}
			closeLabel={t('common.close')}
			onClose={onClose}
		>
			{hidesEvents && <p className={styles.none}>{t('deletions.rule.staysHidden')}</p>}
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={goalStyles.tools}>
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
