import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chipsOf, type Filter, filterOf } from '../../../../presentation/filter-chips.ts';
import { defaults } from '../../../../presentation/view-query.ts';
import { statistics, type WebsiteRecord } from '../../../api-client.ts';
import { lazyPageWithTexts } from '../../../lazy-page.ts';
import { type ShareLink, type SharePanel, shareLinks } from '../../../share-links-client.ts';
import pairStyles from '../../../stats/goals/GoalDialog.module.css';
import { useLinkText } from '../../../stats/use-link-text.ts';
import { Button } from '../../../ui/Button.tsx';
import { Copy } from '../../../ui/Copy.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { SelectField, Switch, TextField } from '../../../ui/Field.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { endOfDay, lastDayOf } from './link-days.ts';
import styles from './ShareLinks.module.css';

const FilterDialog = lazyPageWithTexts(
	async () => (await import('../../StatisticsPage/FilterDialog.tsx')).FilterDialog,
);

/** In the order of the page. */
const panels = [
	'sources',
	'pages',
	'places',
	'devices',
	'conversions',
	'hours',
	'vitals',
	'live',
] as const satisfies readonly SharePanel[];

const dateModes = ['all', 'last', 'range'] as const;
type DateMode = (typeof dateModes)[number];

type Values = {
	name: string;
	filters: readonly unknown[] | null;
	panels: readonly SharePanel[];
	dates: DateMode;
	last_days: string;
	from: string;
	to: string;
	password: string;
	isPasswordRemoved: boolean;
	/** The last day. */
	expires_at: string;
};

const valuesOf = (link: ShareLink | undefined): Values => ({
	name: link?.name ?? '',
	filters: link?.filters ?? null,
	panels: link?.panels ?? panels,
	dates: !link ? 'all' : link.last_days !== null ? 'last' : (link.from ?? link.to) !== null ? 'range' : 'all',
	last_days: String(link?.last_days ?? 30),
	from: link?.from ?? '',
	to: link?.to ?? '',
	password: '',
	isPasswordRemoved: false,
	expires_at: link?.expires_at ? lastDayOf(link.expires_at) : '',
});

/** All fields as the API takes them. A link works until the end of its last day, on the clock of the browser. */
function bodyOf(values: Values, link: ShareLink | undefined) {
	const { name, filters, panels: shown, dates, password, isPasswordRemoved, expires_at: lastDay } = values;
	const isSameDay = link?.expires_at && lastDayOf(link.expires_at) === lastDay;
	return {
		name,
		filters,
		panels: shown.length === panels.length ? null : shown,
		last_days: dates === 'last' ? values.last_days : null,
		from: (dates === 'range' && values.from) || null,
		to: (dates === 'range' && values.to) || null,
		...(isPasswordRemoved ? { password: null } : password !== '' && { password }),
		...(!isSameDay && { expires_at: lastDay === '' ? null : endOfDay(lastDay) }),
	};
}

/** Creates or edits a share link. A new one is shown to be copied. */
export function ShareLinkDialog(props: {
	website: WebsiteRecord;
	link: ShareLink | undefined;
	onSaved(): Promise<unknown>;
	onClose(): void;
}) {
	const { t } = useTranslation();
	const { website, link, onSaved, onClose } = props;
	const [created, setCreated] = useState<ShareLink>();
	const [isAdding, setAdding] = useState(false);
	const form = useForm(
		valuesOf(link),
		async (values) => {
			const body = bodyOf(values, link);
			const saved = await (link
				? shareLinks.update(website.id, link.id, body)
				: shareLinks.create(website.id, body));
			await onSaved();
			if (link) onClose();
			else setCreated(saved);
		},
		({ name, dates, last_days: days, from, to }) => ({
			name: name.trim() === '' ? t('settings.goals.nameNeeded') : undefined,
			last_days: dates === 'last' && !/^[1-9]\d{0,3}$/.test(days) ? t('shareLinks.daysNeeded') : undefined,
			to: dates === 'range' && from !== '' && to !== '' && to < from ? t('exports.order') : undefined,
		}),
	);
	const { values } = form;
	const nameFault = form.faultOf('name');
	if (created?.url)
		return (
			<Dialog
				isOpen
				title={t('shareLinks.ready')}
				text={t(created.has_password ? 'shareLinks.readyPassword' : 'shareLinks.readyText')}
				closeLabel={t('common.close')}
				onClose={onClose}
			>
				<Copy label={t('shareLinks.link')} text={created.url} />
			</Dialog>
		);
	return (
		<Dialog
			isOpen
			title={link ? t('shareLinks.edit') : t('shareLinks.add')}
			closeLabel={t('common.close')}
			onClose={onClose}
		>
			<form className={styles.form} onSubmit={(event) => void form.submit(event)}>
				<TextField
					label={t('settings.goals.name')}
					hint={t('shareLinks.nameHint')}
					value={values.name}
					fault={nameFault && form.error !== undefined ? t('shareLinks.nameTaken') : nameFault}
					maxLength={100}
					required
					onChange={({ target }) => form.set({ name: target.value })}
				/>
				<FilterFields
					website={website}
					filters={values.filters}
					fault={form.faultOf('filters')}
					onAdd={() => setAdding(true)}
					onChange={(filters) => form.set({ filters })}
				/>
				<PanelFields chosen={values.panels} onChange={(chosen) => form.set({ panels: chosen })} />
				<SelectField
					label={t('shareLinks.dates')}
					value={values.dates}
					options={dateModes.map((mode) => ({ value: mode, label: t(`shareLinks.dateModes.${mode}`) }))}
					onChange={({ target }) =>
						form.set({ dates: dateModes.find((mode) => mode === target.value) ?? 'all' })
					}
				/>
				{values.dates === 'last' && (
					<TextField
						label={t('shareLinks.days')}
						type="number"
						min={1}
						max={3650}
						value={values.last_days}
						fault={form.faultOf('last_days')}
						onChange={({ target }) => form.set({ last_days: target.value })}
					/>
				)}
				{values.dates === 'range' && (
					<div className={pairStyles.pair}>
						<TextField
							label={t('shareLinks.from')}
							type="date"
							value={values.from}
							fault={form.faultOf('from')}
							onChange={({ target }) => form.set({ from: target.value })}
						/>
						<TextField
							label={t('shareLinks.to')}
							type="date"
							value={values.to}
							fault={form.faultOf('to')}
							onChange={({ target }) => form.set({ to: target.value })}
						/>
					</div>
				)}
				{!values.isPasswordRemoved && (
					<TextField
						label={link?.has_password ? t('settings.privacy.newPassword') : t('shareLinks.password')}
						hint={link?.has_password ? t('settings.privacy.keep') : t('settings.privacy.passwordHint')}
						autoComplete="off"
						spellCheck={false}
						maxLength={128}
						value={values.password}
						fault={form.faultOf('password')}
						onChange={({ target }) => form.set({ password: target.value })}
					/>
				)}
				{link?.has_password && (
					<Switch
						label={t('settings.privacy.remove')}
						checked={values.isPasswordRemoved}
						onChange={(isPasswordRemoved) => form.set({ isPasswordRemoved, password: '' })}
					/>
				)}
				<TextField
					label={t('shareLinks.lastDay')}
					type="date"
					value={values.expires_at}
					fault={form.faultOf('expires_at')}
					onChange={({ target }) => form.set({ expires_at: target.value })}
				/>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				<div className={pairStyles.tools}>
					<Button kind="primary" type="submit" busy={form.isBusy}>
						{link ? t('common.save') : t('shareLinks.create')}
					</Button>
					<Button kind="quiet" onClick={onClose}>
						{t('common.cancel')}
					</Button>
				</div>
			</form>
			{/* Not inside the form, which would be submitted with its own. */}
			{isAdding && (
				<Suspense fallback={null}>
					<FilterDialog
						website={{ ...website, isShared: false, canEdit: false }}
						query={{ ...defaults, filters: chipsOfFilters(values.filters) ?? [] }}
						editing={{ index: undefined }}
						without={['goal', 'page_group']}
						onClose={() => setAdding(false)}
						onApply={(filter) => {
							setAdding(false);
							form.set({
								filters: filterOf([...(chipsOfFilters(values.filters) ?? []), filter]) ?? null,
							});
						}}
					/>
				</Suspense>
			)}
		</Dialog>
	);
}

const chipsOfFilters = (filters: readonly unknown[] | null) => (filters === null ? [] : chipsOf(filters));

/** The fixed filter: copied from a segment, or made here. */
function FilterFields({
	website,
	filters,
	fault,
	onAdd,
	onChange,
}: {
	website: WebsiteRecord;
	filters: readonly unknown[] | null;
	fault: string | undefined;
	onAdd(): void;
	onChange(filters: readonly unknown[] | null): void;
}) {
	const { t } = useTranslation();
	const segments = useQuery({
		queryKey: ['segments', website.id],
		queryFn: () => statistics.segments(website.id),
	});
	const linkText = useLinkText();
	const chips = chipsOfFilters(filters);
	const texts = linkText({ filters: filters && [...filters], from: null, to: null, last_days: null });
	const set = (changed: readonly Filter[]) => onChange(filterOf(changed) ?? null);
	return (
		<fieldset className={styles.group}>
			<legend>{t('shareLinks.filter')}</legend>
			{texts.length > 0 && (
				<ul className={styles.filters}>
					{texts.map((text, index) => (
						<li key={text}>
							<span>{text}</span>
							<button
								type="button"
								aria-label={t('statistics.filter.remove', { filter: text })}
								onClick={() => (chips ? set(chips.filter((_, other) => other !== index)) : onChange(null))}
							>
								×
							</button>
						</li>
					))}
				</ul>
			)}
			<div className={pairStyles.tools}>
				{chips && <Button onClick={onAdd}>{t('shareLinks.addFilter')}</Button>}
			</div>
			{(segments.data ?? []).length > 0 && (
				<SelectField
					label={t('shareLinks.segment')}
					value=""
					options={[
						{ value: '', label: t('shareLinks.chooseSegment') },
						...(segments.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
					]}
					onChange={({ target }) => {
						const segment = segments.data?.find(({ id }) => String(id) === target.value);
						if (segment) onChange(segment.filters);
					}}
				/>
			)}
			{fault ? (
				<Notice kind="fault">{fault}</Notice>
			) : (
				<p className={styles.hint}>{t('shareLinks.filterHint')}</p>
			)}
		</fieldset>
	);
}

function PanelFields(props: {
	chosen: readonly SharePanel[];
	onChange(chosen: readonly SharePanel[]): void;
}) {
	const { t } = useTranslation();
	const { chosen, onChange } = props;
	const labelOf = (panel: SharePanel) =>
		panel === 'vitals'
			? t('vitals.title')
			: panel === 'live'
				? t('shareLinks.live')
				: t(`statistics.panels.${panel}`);
	return (
		<fieldset className={styles.group}>
			<legend>{t('shareLinks.panels')}</legend>
			<div className={styles.checks}>
				{panels.map((panel) => (
					<label key={panel}>
						<input
							type="checkbox"
							checked={chosen.includes(panel)}
							onChange={({ target }) =>
								onChange(panels.filter((each) => (each === panel ? target.checked : chosen.includes(each))))
							}
						/>
						{labelOf(panel)}
					</label>
				))}
			</div>
			<p className={styles.hint}>{t('shareLinks.panelsHint')}</p>
		</fieldset>
	);
}
