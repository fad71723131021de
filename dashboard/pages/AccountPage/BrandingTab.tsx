import { useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { Branding } from '../../../api/branding.ts';
import { type AccentTheme, accentShades, parseAccent } from '../../../presentation/accent.ts';
import { branding } from '../../account-client.ts';
import { BrandMark } from '../../layout/BrandMark.tsx';
import { FormSection } from '../../layout/settings/FormSection.tsx';
import { queries } from '../../queries.ts';
import { askAgain } from '../../session.tsx';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Card.tsx';
import { Switch, TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './BrandingTab.module.css';

const brandingKey = ['branding'] as const;
const defaultAccent = '#0a7f78';

async function store(changed: Branding): Promise<void> {
	queries.setQueryData(brandingKey, changed);
	// The header of this page shows it too.
	await askAgain();
}

/** The name, color and logos that the pages and mails of the account have. */
export function BrandingTab() {
	const { t } = useTranslation();
	const query = useQuery({ queryKey: brandingKey, queryFn: branding.get });
	if (query.data) return <Parts brand={query.data} />;
	return (
		<Section text={t('branding.text')}>
			{query.error ? (
				<Failure error={query.error} onTryAgain={() => void query.refetch()} />
			) : (
				<Skeleton height={240} />
			)}
		</Section>
	);
}

function Parts({ brand }: { brand: Branding }) {
	const { t } = useTranslation();
	const form = useForm(
		{ name: brand.name ?? '', accent: brand.accent ?? '', powered_by: brand.powered_by },
		async (values) => store(await branding.change(values)),
		({ accent }) => ({
			accent: accent === '' || parseAccent(accent) ? undefined : t('branding.accentFault'),
		}),
	);
	const { name, accent } = form.values;
	const parsed = parseAccent(accent);
	return (
		<>
			<FormSection title={t('branding.nameTitle')} text={t('branding.text')} form={form}>
				<TextField
					label={t('branding.name')}
					hint={t('branding.nameHint')}
					fault={form.faultOf('name')}
					maxLength={60}
					value={name}
					onChange={({ target }) => form.set({ name: target.value })}
				/>
				<div className={styles.color}>
					<TextField
						label={t('branding.accent')}
						hint={t('branding.accentHint')}
						fault={form.faultOf('accent')}
						maxLength={7}
						spellCheck={false}
						value={accent}
						onChange={({ target }) => form.set({ accent: target.value.trim() })}
					/>
					<input
						type="color"
						aria-label={t('branding.pick')}
						value={parsed ?? defaultAccent}
						onChange={({ target }) => form.set({ accent: target.value })}
					/>
				</div>
				<Switch
					label={t('branding.poweredBy')}
					hint={t('branding.poweredByHint')}
					checked={form.values.powered_by}
					onChange={(isOn) => form.set({ powered_by: isOn })}
				/>
			</FormSection>
			<Section title={t('branding.logos')} text={t('branding.logosText')}>
				<LogoForm brand={brand} background="light" />
				<LogoForm brand={brand} background="dark" />
			</Section>
			<Section title={t('branding.preview')} text={t('branding.previewText')}>
				<div className={styles.previews}>
					{(['light', 'dark'] as const).map((theme) => (
						<Preview
							key={theme}
							theme={theme}
							accent={parsed}
							brand={{ ...brand, name: name.trim() || null }}
						/>
					))}
				</div>
			</Section>
		</>
	);
}

function LogoForm({ brand, background }: { brand: Branding; background: 'light' | 'dark' }) {
	const { t } = useTranslation();
	const image = background === 'light' ? brand.logo : brand.dark_logo;
	const form = useForm({ logo: undefined as File | undefined }, async ({ logo }) =>
		store((await (logo ? branding.upload(background, logo) : branding.remove(background))).data),
	);
	return (
		<form
			className={styles.logo}
			onSubmit={async (event) => {
				if (await form.submit(event)) form.reset();
			}}
		>
			<TextField
				// The browser keeps the name of the file until the field is another one.
				key={image?.url}
				label={t(`branding.${background}`)}
				hint={background === 'dark' ? t('branding.darkHint') : undefined}
				fault={form.faultOf('logo')}
				type="file"
				accept="image/png,image/jpeg"
				onChange={({ target }) => form.set({ logo: target.files?.[0] })}
			/>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={styles.image} data-theme={background}>
				{image ? (
					<img src={image.url} width={image.width} height={image.height} alt={t(`branding.${background}`)} />
				) : (
					<span>{t('branding.noLogo')}</span>
				)}
			</div>
			<div className={styles.actions}>
				{form.values.logo ? (
					<Button type="submit" kind="primary" busy={form.isBusy}>
						{t('common.save')}
					</Button>
				) : (
					image && (
						<Button type="submit" busy={form.isBusy}>
							{t('branding.remove')}
						</Button>
					)
				)}
			</div>
		</form>
	);
}

function Preview({
	theme,
	accent,
	brand,
}: {
	theme: AccentTheme;
	accent: string | undefined;
	brand: Branding;
}) {
	const { t } = useTranslation();
	const shades = accentShades(accent ?? defaultAccent, theme);
	const properties = Object.fromEntries(Object.entries(shades).map(([name, shade]) => [`--${name}`, shade]));
	// React sets custom properties through the CSSOM; its type does not know them.
	const style = properties as CSSProperties;
	const shown = theme === 'dark' ? (brand.dark_logo ?? brand.logo) : (brand.logo ?? brand.dark_logo);
	return (
		<figure className={styles.preview} data-theme={theme} style={style}>
			<figcaption>{t(theme === 'light' ? 'branding.previewLight' : 'branding.previewDark')}</figcaption>
			<p className={styles.mark}>
				<BrandMark brand={{ ...brand, logo: shown, dark_logo: null }}>{t('common.product')}</BrandMark>
			</p>
			<p className={styles.samples}>
				<span className={styles.button}>{t('branding.previewButton')}</span>
				<span className={styles.link}>{t('branding.previewLink')}</span>
				<span className={styles.wash}>1,204</span>
			</p>
		</figure>
	);
}
