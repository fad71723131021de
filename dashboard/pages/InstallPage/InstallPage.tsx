import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearch } from 'wouter';
import { ApiError, websites } from '../../api-client.ts';
import { toUnicode } from '../../domain.ts';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { NotFound } from '../../layout/NotFound.tsx';
import type { PageProps } from '../../routes.tsx';
import { useAccount } from '../../session.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { Check } from './Check.tsx';
import { Guide } from './Guide.tsx';
import { guideNames, type Place, snippetOf } from './guides.ts';
import styles from './InstallPage.module.css';

/** Snippet, guides and installation status of a website. */
export function InstallPage({ params }: PageProps) {
	const { t } = useTranslation();
	const id = Number(params.id);
	const website = useQuery({
		queryKey: ['website', id],
		queryFn: () => websites.get(id),
		enabled: Number.isSafeInteger(id) && id > 0,
	});
	const { data, error } = website;
	if (!(id > 0) || (error instanceof ApiError && error.code === 'not_found')) return <NotFound />;
	const domain = data && toUnicode(data.domain);
	const title = t('websites.install.title', { domain: domain ?? '…' });
	return (
		<AppLayout
			title={title}
			crumbs={
				<>
					<Link className={styles.crumb} href={`/websites/${id}`}>
						{domain ?? <Skeleton width={120} />}
					</Link>
					<span className={styles.slash} aria-hidden="true">
						/
					</span>
					<span className={styles.here}>{t('websites.install.crumb')}</span>
				</>
			}
		>
			<h1 className={styles.title}>{title}</h1>
			{error && !data ? (
				<Failure error={error} onTryAgain={() => void website.refetch()} />
			) : (
				domain !== undefined && <Install id={id} domain={domain} />
			)}
		</AppLayout>
	);
}

function Install({ id, domain }: { id: number; domain: string }) {
	const { t } = useTranslation();
	const { public_address: address, tracking } = useAccount();
	const place: Place = { websiteId: id, address: address.url, ...tracking };
	const wanted = new URLSearchParams(useSearch()).get('guide');
	const guide = guideNames.find((name) => name === wanted) ?? 'html';
	return (
		<div className={styles.page}>
			<section className={styles.snippet}>
				<h2>{t('websites.install.snippet')}</h2>
				<p className={styles.text}>{t('websites.install.snippetText')}</p>
				<Copy text={snippetOf(place)} label={t('websites.install.snippetLabel')} />
				{isPlain(address.url) && <Notice>{t('websites.install.plainHttp')}</Notice>}
			</section>
			<div className={styles.check}>
				<Check place={place} domain={domain} />
			</div>
			<section className={styles.guides}>
				<h2>{t('websites.install.guides')}</h2>
				<p className={styles.text}>{t('websites.install.guidesText')}</p>
				<nav className={styles.names} aria-label={t('websites.install.guides')}>
					{guideNames.map((name) => (
						<Link
							key={name}
							href={name === 'html' ? `/websites/${id}/install` : `/websites/${id}/install?guide=${name}`}
							aria-current={name === guide ? 'page' : undefined}
							replace
						>
							{t(`websites.install.guide.${name}.name`)}
						</Link>
					))}
				</nav>
				<Guide key={guide} name={guide} place={place} domain={domain} />
			</section>
		</div>
	);
}

/** Pages on the same machine can load it over HTTP. */
function isPlain(address: string): boolean {
	const { protocol, hostname } = new URL(address);
	return protocol === 'http:' && !/^(localhost|127\..*|\[::1\])$/.test(hostname);
}
