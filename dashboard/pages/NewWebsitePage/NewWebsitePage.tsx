import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { ApiError } from '../../api-client.ts';
import { hostnameIn, isLocalHostname } from '../../domain.ts';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { useAccount } from '../../session.tsx';
import { ManageTemplates } from '../../templates/ManageTemplates.tsx';
import { TemplateField, useTemplates } from '../../templates/TemplateField.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Choices, Switch, TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import { ZoneField } from '../../ui/ZoneField.tsx';
import { manage } from '../../website-client.ts';
import styles from './NewWebsitePage.module.css';

type Privacy = 0 | 1 | 2;

/** Adds a website: domain, time zone and visibility. */
export function NewWebsitePage() {
	const { t } = useTranslation();
	const [, navigate] = useLocation();
	const cache = useQueryClient();
	const { account } = useAccount();
	/** Offered to whoever typed localhost, and kept while they type a domain instead. */
	const [countsLocal, setCountsLocal] = useState<boolean>();
	const [isManaging, setManaging] = useState(false);
	const { data: templates = [] } = useTemplates();
	const form = useForm(
		{ domain: '', timezone: account.timezone, privacy: 1 as Privacy, password: '', template_id: '' },
		async ({ password, domain, template_id, ...about }) => {
			const { id } = await manage.create({
				...about,
				domain: hostnameIn(domain),
				...(about.privacy === 2 && { password }),
				// It may have been deleted since.
				...(templates.some(({ id }) => String(id) === template_id) && { template_id }),
			});
			if (countsLocal) await manage.changeSettings(id, { hostnames: 'localhost' });
			await cache.invalidateQueries({ queryKey: ['websites'] });
			navigate(`/websites/${id}/install`);
		},
		({ domain, privacy, password }) => ({
			domain: isLocalHostname(hostnameIn(domain)) ? t('websites.new.local') : undefined,
			password: privacy === 2 && password === '' ? t('websites.new.passwordNeeded') : undefined,
		}),
	);
	const { values } = form;
	const isLocal = isLocalHostname(hostnameIn(values.domain));
	if (isLocal && countsLocal === undefined) setCountsLocal(true);
	const setDomain = (domain: string) => form.set({ domain });
	const { error } = form;
	const taken = error instanceof ApiError && error.code === 'domain_taken' ? error.websiteId : undefined;
	return (
		<AppLayout title={t('websites.new.title')} crumbs={<Link href="/websites">{t('websites.title')}</Link>}>
			<div className={styles.page}>
				<h1>{t('websites.new.title')}</h1>
				<p className={styles.text}>{t('websites.new.text')}</p>
				<form className={styles.form} onSubmit={(event) => void form.submit(event)} noValidate>
					<div>
						<TextField
							label={t('websites.new.domain')}
							hint={t('websites.new.domainHint')}
							fault={taken === undefined ? form.faultOf('domain') : t('websites.new.taken')}
							value={values.domain}
							onChange={({ target, nativeEvent }) => {
								// A pasted URL at once; while somebody types, `example.com:80` is not finished yet.
								const isPasted = (nativeEvent as InputEvent).inputType === 'insertFromPaste';
								setDomain(isPasted ? hostnameIn(target.value) : target.value);
							}}
							onBlur={() => setDomain(hostnameIn(values.domain))}
							placeholder="example.com"
							inputMode="url"
							autoCapitalize="none"
							autoCorrect="off"
							autoComplete="off"
							spellCheck={false}
							autoFocus
						/>
						{taken !== undefined && (
							<Link className={styles.taken} href={`/websites/${taken}`}>
								{t('websites.new.openTaken')}
							</Link>
						)}
					</div>
					{isLocal && <Notice>{t('websites.new.local')}</Notice>}
					{countsLocal !== undefined && (
						<Switch
							label={t('websites.new.countLocal')}
							hint={t('websites.new.countLocalHint')}
							checked={countsLocal}
							onChange={setCountsLocal}
						/>
					)}
					<TemplateField
						label={t('templates.label')}
						hint={t('templates.hint')}
						value={values.template_id}
						onChange={(template) =>
							form.set({
								template_id: template ? String(template.id) : '',
								timezone: template?.website.timezone ?? account.timezone,
								privacy: template?.website.privacy ?? 1,
							})
						}
					/>
					{templates.length > 0 && (
						<div className={styles.manage}>
							<Button kind="quiet" onClick={() => setManaging(true)}>
								{t('templates.manage')}
							</Button>
						</div>
					)}
					<ZoneField
						label={t('websites.new.zone')}
						hint={t('websites.new.zoneHint')}
						fault={form.faultOf('timezone')}
						value={values.timezone}
						onChange={(event) => form.set({ timezone: event.target.value })}
					/>
					<Choices<Privacy>
						label={t('websites.new.privacy')}
						fault={form.faultOf('privacy')}
						value={values.privacy}
						onChange={(privacy) => form.set({ privacy })}
						options={[
							{ value: 1, label: t('websites.new.private'), hint: t('websites.new.privateHint') },
							{ value: 2, label: t('websites.new.password'), hint: t('websites.new.passwordHint') },
							{ value: 0, label: t('websites.new.public'), hint: t('websites.new.publicHint') },
						]}
					/>
					{values.privacy === 2 && (
						<TextField
							label={t('websites.new.passwordField')}
							hint={t('websites.new.passwordFieldHint')}
							fault={form.faultOf('password')}
							value={values.password}
							onChange={(event) => form.set({ password: event.target.value })}
							autoComplete="off"
							maxLength={128}
						/>
					)}
					{form.fault && taken === undefined && <Notice kind="fault">{form.fault}</Notice>}
					<div className={styles.buttons}>
						<Button kind="primary" type="submit" busy={form.isBusy}>
							{t('websites.new.send')}
						</Button>
						<ButtonLink kind="quiet" href="/websites">
							{t('common.cancel')}
						</ButtonLink>
					</div>
				</form>
				{isManaging && <ManageTemplates list={templates} onClose={() => setManaging(false)} />}
			</div>
		</AppLayout>
	);
}
