import { useTranslation } from 'react-i18next';
import { FormSection, SwitchSection } from '../../../layout/settings/FormSection.tsx';
import { useAccount } from '../../../session.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Section } from '../../../ui/Card.tsx';
import { Copy } from '../../../ui/Copy.tsx';
import { Choices, TextField } from '../../../ui/Field.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { useForm } from '../../../ui/use-form.ts';
import styles from '../SettingsPage.module.css';
import type { TabProps } from '../tab.ts';
import { BadgePicker } from './BadgePicker.tsx';
import { Embedding } from './Embedding.tsx';
import { isExpired } from './LinkFacts.tsx';
import { ShareLinks, useShareLinks } from './ShareLinks.tsx';

type Mode = TabProps['website']['privacy'];

const modeNames = { 0: 'public', 1: 'private', 2: 'password' } as const satisfies Record<Mode, string>;

export function Sharing(props: TabProps) {
	const { t } = useTranslation();
	const { website, settings, canEdit, isAdmin, arePagesPublic, change } = props;
	const { url } = useAccount().public_address;
	const links = useShareLinks(website.id, isAdmin);
	// Cookies, and with them passwords, do not work in a frame.
	const embedded = (links.data ?? []).filter(
		(link) => link.url !== null && !link.has_password && !isExpired(link),
	);
	const isPublic = website.privacy === 0;
	return (
		<>
			{!arePagesPublic && (
				<div className={styles.note}>
					<Notice>{t('settings.privacy.off')}</Notice>
				</div>
			)}
			<ModeAndPassword {...props} />
			<Section
				title={t('settings.address.title')}
				text={t(`settings.address.text.${modeNames[website.privacy]}`)}
			>
				{website.privacy !== 1 && (
					<Copy label={t('settings.address.label')} text={`${url}/websites/${website.id}`} />
				)}
			</Section>
			{isAdmin && <ShareLinks {...props} />}
			<SwitchSection
				title={t('settings.engines.title')}
				label={t('settings.engines.label')}
				hint={website.privacy === 0 ? t('settings.engines.hint') : t('settings.engines.publicOnly')}
				isOn={settings.indexable === 1}
				isOpen={canEdit}
				store={(isOn) => change({ indexable: isOn ? 1 : 0 })}
			/>
			{arePagesPublic && (isPublic || embedded.length > 0) ? (
				<>
					<Embedding {...props} links={embedded} />
					{isPublic && <BadgePicker id={website.id} />}
				</>
			) : (
				<Section title={t('settings.embed.title')}>
					<p className={styles.text}>{t('settings.embed.publicOnly')}</p>
				</Section>
			)}
		</>
	);
}

function ModeAndPassword({ website, canEdit, update }: TabProps) {
	const { t } = useTranslation();
	const form = useForm<{ privacy: Mode; password: string }>(
		{ privacy: website.privacy, password: '' },
		async ({ privacy, password }) => {
			await update({ privacy, ...(privacy === 2 && password !== '' && { password }) });
			form.set({ password: '' });
		},
		({ privacy, password }) => ({
			password:
				privacy === 2 && password === '' && !website.has_password ? t('settings.privacy.needed') : undefined,
		}),
	);
	const removal = useForm({}, () => update({ password: '' }));
	const isLeftOver = website.has_password && website.privacy !== 2 && form.values.privacy !== 2;
	return (
		<FormSection
			title={t('settings.privacy.title')}
			text={t('settings.privacy.text')}
			form={form}
			isOpen={canEdit}
		>
			<Choices<Mode>
				label={<span className="unseen">{t('settings.privacy.title')}</span>}
				value={form.values.privacy}
				fault={form.faultOf('privacy')}
				options={([1, 2, 0] as const).map((mode) => ({
					value: mode,
					label: t(`settings.privacy.modes.${modeNames[mode]}.title`),
					hint: t(`settings.privacy.modes.${modeNames[mode]}.text`),
				}))}
				onChange={(privacy) => form.set({ privacy, ...(privacy !== 2 && { password: '' }) })}
			/>
			{form.values.privacy === 2 && (
				<TextField
					label={website.has_password ? t('settings.privacy.newPassword') : t('settings.privacy.password')}
					hint={website.has_password ? t('settings.privacy.keep') : t('settings.privacy.passwordHint')}
					type="text"
					autoComplete="off"
					spellCheck={false}
					maxLength={128}
					value={form.values.password}
					fault={form.faultOf('password')}
					onChange={(event) => form.set({ password: event.target.value })}
				/>
			)}
			{isLeftOver && (
				<>
					<p className={styles.text}>{t('settings.privacy.leftOver')}</p>
					{canEdit && (
						<div className={styles.done}>
							<Button busy={removal.isBusy} onClick={() => void removal.submit()}>
								{t('settings.privacy.remove')}
							</Button>
							{removal.fault && <Notice kind="fault">{removal.fault}</Notice>}
						</div>
					)}
				</>
			)}
		</FormSection>
	);
}
