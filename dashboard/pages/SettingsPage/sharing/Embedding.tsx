import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatMetric } from '../../../../presentation/metrics.ts';
import { statistics } from '../../../api-client.ts';
import { FormSection } from '../../../layout/settings/FormSection.tsx';
import { useAccount } from '../../../session.tsx';
import type { ShareLink } from '../../../share-links-client.ts';
import { Copy } from '../../../ui/Copy.tsx';
import { SelectField, TextArea } from '../../../ui/Field.tsx';
import { Sparkline } from '../../../ui/Sparkline.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { linesOf } from '../lines.ts';
import type { TabProps } from '../tab.ts';
import styles from './Sharing.module.css';

const themes = ['light', 'dark'] as const;
export type PictureTheme = (typeof themes)[number];

export function ThemeField(props: { value: PictureTheme; onChange(theme: PictureTheme): void }) {
	const { t } = useTranslation();
	return (
		<SelectField
			label={t('common.theme')}
			value={props.value}
			options={themes.map((theme) => ({ value: theme, label: t(`common.themes.${theme}`) }))}
			onChange={({ target }) => props.onChange(themes.find((theme) => theme === target.value) ?? 'light')}
		/>
	);
}

/** An iframe with the statistics of a public website or of a share link, and how it will look. */
export function Embedding({
	website,
	settings,
	canEdit,
	change,
	links,
}: TabProps & {
	/** Those that can be embedded. */
	links: readonly ShareLink[];
}) {
	const { t } = useTranslation();
	const { url } = useAccount().public_address;
	const form = useForm<{ embed_origins: string }>({ embed_origins: settings.embed_origins ?? '' }, change);
	const [theme, setTheme] = useState<PictureTheme>('light');
	const pages = [
		...(website.privacy === 0
			? [{ value: `${url}/websites/${website.id}`, label: t('settings.address.title') }]
			: []),
		...links.map((link) => ({ value: link.url ?? '', label: link.name })),
	];
	const [chosen, setChosen] = useState<string>();
	const page = pages.find(({ value }) => value === chosen) ?? pages[0];
	const [origin] = linesOf(form.values.embed_origins);
	return (
		<FormSection
			title={t('settings.embed.frame')}
			text={t('settings.embed.frameText')}
			form={form}
			isOpen={canEdit}
		>
			<TextArea
				label={t('settings.embed.origins')}
				hint={t('settings.embed.originsHint')}
				rows={3}
				value={form.values.embed_origins}
				fault={form.faultOf('embed_origins')}
				spellCheck={false}
				onChange={({ target }) => form.set({ embed_origins: target.value })}
			/>
			{pages.length > 1 && (
				<SelectField
					label={t('settings.embed.page')}
					value={page?.value ?? ''}
					options={pages}
					onChange={({ target }) => setChosen(target.value)}
				/>
			)}
			<ThemeField value={theme} onChange={setTheme} />
			<EmbedPreview id={website.id} theme={theme} origin={origin ?? `https://${website.domain}`} />
			<Copy
				label={t('settings.embed.frameCode')}
				text={`<iframe src="${page?.value}?embed=1&amp;theme=${theme}" loading="lazy" style="width: 100%; height: 1700px; border: 0"></iframe>`}
			/>
		</FormSection>
	);
}

const metrics = ['visitors', 'visits', 'pageviews', 'bounce_rate'] as const;

/** A drawing with the real numbers: only the allowed origins may frame the page itself, and this one is none. */
function EmbedPreview({ id, theme, origin }: { id: number; theme: PictureTheme; origin: string }) {
	const { t, i18n } = useTranslation();
	const query = useQuery({
		queryKey: ['website', id, 'embed preview'],
		queryFn: () => statistics.summary(id, { period: '30d', metrics: metrics.join(','), interval: 'day' }),
	});
	const answer = query.data?.data;
	return (
		<figure className={styles.preview}>
			<figcaption>{t('settings.embed.preview')}</figcaption>
			<div className={styles.window}>
				<div className={styles.chrome}>{origin.replace(/^https?:\/\/(\*\.)?/, '')}</div>
				<div className={styles.page}>
					<i className={styles.ghost} aria-hidden="true" />
					<i className={styles.ghost} aria-hidden="true" />
					<div className={styles.frame} data-theme={theme} data-testid="embed-preview">
						<dl>
							{metrics.map((metric) => (
								<div key={metric}>
									<dt>{t(`statistics.metrics.${metric}.label`)}</dt>
									<dd>{answer ? formatMetric(metric, answer.totals[metric] ?? null, i18n.language) : ' '}</dd>
								</div>
							))}
						</dl>
						<Sparkline
							className={styles.spark}
							values={answer?.series.map(({ visitors }) => visitors ?? 0) ?? []}
							isLastUnfinished={answer?.series.at(-1)?.unfinished === true}
						/>
						<small>{t('panels.embed.foot')}</small>
					</div>
					<i className={styles.ghost} aria-hidden="true" />
				</div>
			</div>
		</figure>
	);
}
