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
import goalStyles from '../Goals.module.css';
import { StoredSwitch } from '../StoredSwitch.tsx';
import { RuleDialog } from './RuleDialog.tsx';
import styles from './TrafficRules.module.css';
import { useTestName } from './use-test-name.ts';

const rulesKey = (website: number) => ['website', website, 'traffic-rules'] as const;

/** Rules that exclude new hits, each with what it excluded. */
export function TrafficRules({ website }: { website: number }) {
	const { t } = useTranslation();
	const rules = useQuery({ queryKey: rulesKey(website), queryFn: () => trafficRules.list(website) });
	const drops = useQuery({
		queryKey: ['website', website, 'drops', '30d'],
		queryFn: () => websites.drops(website, { period: '30d' }),
	});
	const counts = drops.data && new Map(drops.data.data.rules.map(({ id, count }) => [id, count]));
	const [edited, setEdited] = useState<TrafficRule | 'new'>();
	const [deleted, setDeleted] = useState<TrafficRule>();
	const refresh = () => queries.invalidateQueries({ queryKey: rulesKey(website) });
	return (
		<Section title={t('trafficRules.title')} text={t('trafficRules.text')}>
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
					onSaved={refresh}
					onClose={() => setEdited(undefined)}
				/>
			)}
			{deleted && (
				<DeleteDialog
					website={website}
					rule={deleted}
					onDeleted={refresh}
					onClose={() => setDeleted(undefined)}
				/>
			)}
		</Section>
	);
}

const shownValues = 3;

function About({ rule, count }: { rule: TrafficRule; count: number | undefined }) {
	const { t, i18n } = useTranslation();
	const testName = useTestName();
	const { kind, test, values } = rule;
	const hidden = values.length - shownValues;
	return (
		<>
			{t(`trafficRules.kinds.${kind}`)} {testName(test)}{' '}
			{values.slice(0, shownValues).map((value, index) => (
				<span key={value}>
					{index > 0 && ', '}
					<code className={styles.value}>{value}</code>
				</span>
			))}
			{hidden > 0 && ` +${formatCount(hidden, i18n.language)}`}
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
	onDeleted(): Promise<unknown>;
	onClose(): void;
}) {
	const { t } = useTranslation();
	const { website, rule, onDeleted, onClose } = props;
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
