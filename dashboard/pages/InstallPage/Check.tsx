import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { formatDate } from '../../../presentation/format.ts';
import { type Drops, websites } from '../../api-client.ts';
import { toUnicode } from '../../domain.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useFaultText } from '../../ui/use-fault-text.ts';
import { manage } from '../../website-client.ts';
import { linesOf, withHostname } from '../SettingsPage/lines.ts';
import styles from './Check.module.css';
import { type Place, policyOf } from './guides.ts';

const everyMs = 2_500;

/** Polls until the first event arrives and shows why hits were excluded. */
export function Check({ place, domain }: { place: Place; domain: string }) {
	const { t, i18n } = useTranslation();
	const { websiteId: id } = place;
	const seen = useQuery({
		queryKey: ['websites', 'first event', id],
		queryFn: async () => (await websites.overview({ websites: id, period: 'today' })).data[0] ?? null,
		refetchInterval: ({ state }) => (state.data?.last_date ? false : everyMs),
		staleTime: 0,
	});
	const last = seen.data?.last_date ?? null;
	const drops = useQuery({
		queryKey: ['websites', 'first drops', id],
		queryFn: () => websites.drops(id, { period: '7d' }),
		refetchInterval: last === null ? everyMs : false,
		enabled: seen.isSuccess && last === null,
		staleTime: 0,
	});
	// Announces the first visit only if the page was open before it; otherwise shows today's count.
	const [hasWaited, setWaited] = useState(false);
	const isWaiting = seen.isSuccess && last === null;
	useEffect(() => {
		if (isWaiting) setWaited(true);
	}, [isWaiting]);
	const about = (): string => {
		if (seen.error) return t('websites.install.check.unreachable');
		if (last === null) return t('websites.install.check.waitingText', { domain });
		if (hasWaited) return t('websites.install.check.countingText');
		if (last === seen.data?.to)
			return t('websites.install.check.countingToday', { count: seen.data.visitors ?? 0 });
		return t('websites.install.check.earlier', { date: formatDate(last, i18n.language) });
	};
	return (
		<section className={styles.check} data-counting={last !== null || undefined} aria-labelledby="check">
			<h2 id="check">{t('websites.install.check.title')}</h2>
			<div className={styles.state} role="status">
				<i aria-hidden="true" />
				<div>
					<b>{t(`websites.install.check.${last === null ? 'waiting' : 'counting'}`)}</b>
					<p>{about()}</p>
				</div>
			</div>
			{last === null ? (
				<>
					{drops.data && <Dropped drops={drops.data.data} domain={domain} id={id} />}
					<Hint title={t('websites.install.check.localhost')}>
						<p>{t('websites.install.check.localhostText')}</p>
						<CountLocalhost id={id} domain={domain} />
					</Hint>
					<Hint title={t('websites.install.check.nothing')}>
						<p>{t('websites.install.check.nothingBlocker')}</p>
						<p>{t('websites.install.check.nothingCache')}</p>
						<p>{t('websites.install.check.nothingPolicy')}</p>
						<Copy
							text={policyOf(place)}
							label={t('websites.install.code', { what: t('websites.install.check.policy') })}
						/>
					</Hint>
				</>
			) : (
				<ButtonLink kind="primary" href={`/websites/${id}`}>
					{t('websites.install.statistics')}
				</ButtonLink>
			)}
		</section>
	);
}

/** Allows localhost with one click, for members who may change settings. */
function CountLocalhost({ id, domain }: { id: number; domain: string }) {
	const { t } = useTranslation();
	const textOf = useFaultText();
	const queries = useQueryClient();
	const settings = useQuery({ queryKey: ['website', id, 'settings'], queryFn: () => manage.settings(id) });
	const [busy, setBusy] = useState(false);
	const [error, setError] = useState<unknown>();
	if (!settings.data) return null;
	const { hostnames } = settings.data;
	const add = async () => {
		setBusy(true);
		setError(undefined);
		try {
			const changed = await manage.changeSettings(id, {
				hostnames: withHostname(hostnames, domain, 'localhost'),
			});
			queries.setQueryData(['website', id, 'settings'], changed);
		} catch (refusal) {
			setError(refusal);
		} finally {
			setBusy(false);
		}
	};
	return (
		<>
			{error !== undefined && <Notice kind="fault">{textOf(error)}</Notice>}
			{linesOf(hostnames).includes('localhost') ? (
				<p role="status">{t('websites.install.check.localhostCounts')}</p>
			) : (
				<Button busy={busy} onClick={() => void add()}>
					{t('websites.install.check.countLocalhost')}
				</Button>
			)}
		</>
	);
}

/** Reasons that are likely during installation; the settings list all. */
const likelyReasons = ['foreign_hostname', 'bot', 'excluded_address', 'privacy_signal'] as const;

function Dropped({ drops, domain, id }: { drops: Drops['data']; domain: string; id: number }) {
	const { t } = useTranslation();
	const hosts = drops.foreign_hostnames.map(({ hostname }) => toUnicode(hostname)).slice(0, 3);
	const met = drops.reasons.filter(({ count }) => count > 0);
	if (met.length === 0) return null;
	const names = likelyReasons.filter((name) => met.some(({ reason }) => reason === name));
	return (
		<div className={styles.dropped} role="status">
			<b>{t('websites.install.check.dropped')}</b>
			{names.map((name) => (
				<p key={name}>
					{name === 'foreign_hostname' && hosts.length > 0
						? t('websites.install.check.foreignHosts', { domain, hosts: hosts.join(', ') })
						: t(`websites.install.check.${name}`, { domain })}
				</p>
			))}
			{names.length === 0 && <p>{t('websites.install.check.other')}</p>}
			{names.includes('foreign_hostname') && (
				<Link href={`/websites/${id}/settings/drops`}>{t('websites.install.check.foreignHelp')}</Link>
			)}
		</div>
	);
}

function Hint({ title, children }: { title: string; children: ReactNode }) {
	return (
		<details className={styles.hint}>
			<summary>{title}</summary>
			{children}
		</details>
	);
}
