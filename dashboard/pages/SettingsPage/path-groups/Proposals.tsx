import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type PathRule, pathGroups } from '../../../rules-client.ts';
import { Button } from '../../../ui/Button.tsx';
import { Section } from '../../../ui/Card.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Failure } from '../../../ui/States.tsx';
import { Examples } from './Examples.tsx';
import styles from './PathGroups.module.css';

/** Rules for paths that no stored rule groups, without those that were added meanwhile. */
export function Proposals({
	listKey,
	website,
	rules,
	onUse,
}: {
	listKey: readonly unknown[];
	website: number;
	rules: readonly PathRule[];
	onUse(rule: PathRule): void;
}) {
	const { t } = useTranslation();
	const { data, error, refetch } = useQuery({
		queryKey: listKey,
		queryFn: () => pathGroups.proposals(website),
	});
	const shown = data?.filter(({ pattern }) => !rules.some((rule) => rule.pattern === pattern));
	return (
		<Section title={t('pathGroups.proposals.title')} text={t('pathGroups.proposals.text')}>
			{shown ? (
				<>
					{shown.length === 0 && <p>{t('pathGroups.proposals.none')}</p>}
					<ul className={styles.list}>
						{shown.map((proposal) => (
							<li key={proposal.pattern}>
								<div className={styles.proposal}>
									<span>
										<code>{proposal.pattern}</code> <span aria-hidden="true">→</span>{' '}
										<code>{proposal.target}</code>
									</span>
									<Button
										aria-label={t('pathGroups.proposals.useOne', { pattern: proposal.pattern })}
										onClick={() => onUse({ pattern: proposal.pattern, target: proposal.target })}
									>
										{t('pathGroups.proposals.use')}
									</Button>
								</div>
								<Examples matched={proposal} />
							</li>
						))}
					</ul>
				</>
			) : error ? (
				<Failure error={error} onTryAgain={() => void refetch()} />
			) : (
				<Skeleton height={44} />
			)}
		</Section>
	);
}
