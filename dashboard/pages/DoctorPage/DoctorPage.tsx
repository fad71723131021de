import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Finding } from '../../../api/doctor.ts';
import { formatExact, formatRelative } from '../../../presentation/format.ts';
import { doctor } from '../../api-client.ts';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { NotFound } from '../../layout/NotFound.tsx';
import { useAccount } from '../../session.tsx';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Card.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import styles from './DoctorPage.module.css';

/** What is worst comes first; among equals the order of the service. */
const rank: Record<Finding['state'], number> = { problem: 0, notice: 1, ok: 2 };

/** The state of the service, for its operators. */
export function DoctorPage() {
	const { is_operator: isOperator } = useAccount();
	return isOperator ? <Health /> : <NotFound />;
}

function Health() {
	const { t, i18n } = useTranslation();
	const query = useQuery({
		queryKey: ['doctor'],
		queryFn: doctor.examine,
		// The checks load the databases, so they run only on request.
		refetchOnWindowFocus: false,
	});
	const { data } = query;
	return (
		<AppLayout title={t('doctor.title')} crumbs={<h1>{t('doctor.title')}</h1>}>
			<Section
				title={t('doctor.heading')}
				text={
					data && (
						<span title={formatExact(data.examined_at, i18n.language)}>
							{t('doctor.text', { date: formatRelative(data.examined_at, new Date(), i18n.language) })}
						</span>
					)
				}
			>
				{data ? (
					<>
						<div className={styles.head}>
							<Verdict findings={data.findings} />
							<Button busy={query.isFetching} onClick={() => void query.refetch()}>
								{t('doctor.again')}
							</Button>
						</div>
						{query.isFetching && <Notice>{t('doctor.looking')}</Notice>}
						<ul className={styles.findings} aria-label={t('doctor.heading')}>
							{data.findings
								.toSorted((a, b) => rank[a.state] - rank[b.state])
								.map((finding) => (
									<Line key={`${finding.check} ${finding.what}`} finding={finding} />
								))}
						</ul>
					</>
				) : query.error ? (
					<Failure error={query.error} onTryAgain={() => void query.refetch()} />
				) : (
					<>
						<Notice>{t('doctor.looking')}</Notice>
						<Skeleton height={600} />
					</>
				)}
			</Section>
		</AppLayout>
	);
}

function Verdict({ findings }: { findings: readonly Finding[] }) {
	const { t } = useTranslation();
	const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
	const [problems, notices] = [count('problem'), count('notice')];
	const said = [
		...(problems > 0 ? [t('doctor.problems', { count: problems })] : []),
		...(notices > 0 ? [t('doctor.notices', { count: notices })] : []),
	];
	return <b>{said.length > 0 ? said.join(' · ') : t('doctor.fine')}</b>;
}

/** What the service says of itself is English, as its log is. */
function Line({ finding: { check, state, what, advice } }: { finding: Finding }) {
	const { t } = useTranslation();
	const [before = '', after = ''] = t('doctor.todo', { advice: '\n' }).split('\n');
	return (
		<li>
			<span className={styles.state} data-state={state}>
				{t(`doctor.states.${state}`)}
			</span>
			<div className={styles.about}>
				<b>{t(`doctor.checks.${check}`)}</b>
				<p lang="en">{what}</p>
				{advice !== null && (
					<p className={styles.advice}>
						{before}
						<span lang="en">{advice}</span>
						{after}
					</p>
				)}
			</div>
		</li>
	);
}
