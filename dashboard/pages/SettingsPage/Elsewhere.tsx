import { useTranslation } from 'react-i18next';
import { useAccount } from '../../session.tsx';
import { Section } from '../../ui/Card.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { FormPart } from './Part.tsx';
import type { RoomProps } from './room.ts';
import styles from './SettingsPage.module.css';

/** What a public website can be shown by in pages of others: a frame with all of it, and a picture with a number. */
export function Elsewhere({ website, settings, canEdit, change }: RoomProps) {
	const { t } = useTranslation();
	const { url } = useAccount().public_address;
	const form = useForm<{ embed_origins: string }>({ embed_origins: settings.embed_origins ?? '' }, change);
	const badge = `${url}/app/api/websites/${website.id}/badge.svg`;
	return (
		<>
			<FormPart
				title={t('settings.elsewhere.frame')}
				text={t('settings.elsewhere.frameText')}
				form={form}
				isOpen={canEdit}
			>
				<TextArea
					label={t('settings.elsewhere.origins')}
					hint={t('settings.elsewhere.originsHint')}
					rows={3}
					value={form.values.embed_origins}
					fault={form.faultOf('embed_origins')}
					spellCheck={false}
					onChange={({ target }) => form.set({ embed_origins: target.value })}
				/>
				<Copy
					label={t('settings.elsewhere.frameCode')}
					text={`<iframe src="${url}/websites/${website.id}?embed=1&amp;theme=light" loading="lazy" style="width: 100%; height: 1700px; border: 0"></iframe>`}
				/>
			</FormPart>
			<Section title={t('settings.elsewhere.badge')} text={t('settings.elsewhere.badgeText')}>
				<p className={styles.text}>
					<img
						src={`/app/api/websites/${website.id}/badge.svg`}
						alt={t('settings.elsewhere.badge')}
						height={28}
					/>
				</p>
				<Copy
					label={t('settings.elsewhere.badgeCode')}
					text={`<a href="${url}/websites/${website.id}"><img src="${badge}" alt="${t('panels.visitors')}"></a>`}
				/>
			</Section>
		</>
	);
}
