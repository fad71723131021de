import { useTranslation } from 'react-i18next';
import { useAccount } from '../../session.tsx';
import { Section } from '../../ui/Card.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { FormSection } from './FormSection.tsx';
import styles from './SettingsPage.module.css';
import type { TabProps } from './tab.ts';

/** Embedding of a public website: an iframe and a badge. */
export function Embedding({ website, settings, canEdit, change }: TabProps) {
	const { t } = useTranslation();
	const { url } = useAccount().public_address;
	const form = useForm<{ embed_origins: string }>({ embed_origins: settings.embed_origins ?? '' }, change);
	const badge = `${url}/app/api/websites/${website.id}/badge.svg`;
	return (
		<>
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
				<Copy
					label={t('settings.embed.frameCode')}
					text={`<iframe src="${url}/websites/${website.id}?embed=1&amp;theme=light" loading="lazy" style="width: 100%; height: 1700px; border: 0"></iframe>`}
				/>
			</FormSection>
			<Section title={t('settings.embed.badge')} text={t('settings.embed.badgeText')}>
				<p className={styles.text}>
					<img
						src={`/app/api/websites/${website.id}/badge.svg`}
						alt={t('settings.embed.badge')}
						height={28}
					/>
				</p>
				<Copy
					label={t('settings.embed.badgeCode')}
					text={`<a href="${url}/websites/${website.id}"><img src="${badge}" alt="${t('panels.visitors')}"></a>`}
				/>
			</Section>
		</>
	);
}
