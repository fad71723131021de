import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatMoment } from '../../../presentation/format.ts';
import { type Fields, type Key, type WebsiteRecord, websites } from '../../api-client.ts';
import { CheckList, Choices, SelectField, TextArea, TextField } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './AccountPage.module.css';

export type Chosen = readonly Pick<WebsiteRecord, 'id' | 'domain'>[];
type Scope = NonNullable<Key['scopes']>[number];

const scopes: readonly Scope[] = ['stats', 'events', 'manage', 'export', 'people'];
const lifetimes = ['days30', 'days90', 'days365'] as const;
const daysOf = { days30: 30, days90: 90, days365: 365 };

export type KeyValues = {
	name: string;
	access: Key['access'];
	scopes: readonly Scope[];
	reach: 'all' | 'some';
	website_ids: Chosen;
	expiry: 'keep' | 'never' | 'custom' | (typeof lifetimes)[number];
	/** The last day, if the expiry is custom. */
	expires_at: string;
	networks: string;
};

/** Reading is what most programs need, so it is chosen at first. */
export const newKeyValues: KeyValues = {
	...{ name: '', access: 'read', scopes: [], reach: 'all', website_ids: [] },
	...{ expiry: 'never', expires_at: '', networks: '' },
};

/** `chosen`: the websites of a limited key. */
export const valuesOf = (key: Key, chosen: Chosen): KeyValues => ({
	name: key.name,
	access: key.access,
	scopes: key.scopes ?? [],
	reach: key.website_ids === null ? 'all' : 'some',
	website_ids: chosen,
	expiry: key.expires_at === null ? 'never' : 'keep',
	expires_at: '',
	networks: key.networks?.join('\n') ?? '',
});

const endOf = (day: string) => new Date(`${day}T23:59:59`);

/** What is sent. An expiry that is kept is left out. */
export function toFields(values: KeyValues, now: Date): Fields {
	const { name, access, reach, expiry, networks } = values;
	const days = expiry === 'keep' || expiry === 'never' || expiry === 'custom' ? undefined : daysOf[expiry];
	return {
		name,
		access,
		scopes: access === 'scoped' ? values.scopes : null,
		website_ids: reach === 'some' ? values.website_ids.map(({ id }) => id) : null,
		...(expiry === 'never' && { expires_at: null }),
		...(expiry === 'custom' && { expires_at: endOf(values.expires_at).toISOString() }),
		...(days !== undefined && { expires_at: new Date(now.getTime() + days * 86_400_000).toISOString() }),
		networks: networks.trim() === '' ? null : networks.split(/[\s,]+/).filter((line) => line !== ''),
	};
}

export function useKeyCheck() {
	const { t } = useTranslation();
	return ({ access, scopes, reach, website_ids, expiry, expires_at }: KeyValues) => ({
		scopes: access === 'scoped' && scopes.length === 0 ? t('account.keys.chooseScope') : undefined,
		website_ids: reach === 'some' && website_ids.length === 0 ? t('account.keys.chooseOne') : undefined,
		expires_at:
			expiry === 'custom' && !(endOf(expires_at) > new Date()) ? t('account.keys.chooseDate') : undefined,
	});
}

type Form = {
	values: KeyValues;
	set(changed: Partial<KeyValues>): void;
	faultOf(name: 'name' | 'scopes' | 'website_ids' | 'expires_at' | 'networks'): string | undefined;
};

/** `expiresAt`: of an existing key. */
export function KeyFields({
	form: { values, set, faultOf },
	nameFault,
	expiresAt = null,
}: {
	form: Form;
	nameFault?: string | undefined;
	expiresAt?: string | null;
}) {
	const { t, i18n } = useTranslation();
	const date = expiresAt && formatMoment(expiresAt, i18n.language, { dateStyle: 'medium' });
	return (
		<>
			<TextField
				label={t('account.keys.name')}
				hint={t('account.keys.nameHint')}
				required
				maxLength={200}
				autoComplete="off"
				fault={nameFault ?? faultOf('name')}
				value={values.name}
				onChange={(event) => set({ name: event.target.value })}
			/>
			<Choices
				label={t('account.keys.access')}
				value={values.access}
				onChange={(access) => set({ access })}
				options={(['read', 'full', 'scoped'] as const).map((value) => ({
					value,
					label: t(`account.keys.${value}`),
					hint: t(`account.keys.${value}Hint`),
				}))}
			/>
			{values.access === 'scoped' && (
				<CheckList
					label={t('account.keys.permissions')}
					values={values.scopes}
					fault={faultOf('scopes')}
					onChange={(chosen) => set({ scopes: chosen })}
					options={scopes.map((value) => ({
						value,
						label: t(`account.keys.scopes.${value}`),
						hint: t(`account.keys.scopes.${value}Hint`),
					}))}
				/>
			)}
			<Choices
				label={t('account.keys.websites')}
				value={values.reach}
				fault={faultOf('website_ids')}
				onChange={(reach) => set({ reach })}
				options={[
					{ value: 'all', label: t('account.keys.all'), hint: t('account.keys.allHint') },
					{
						value: 'some',
						label: t('account.keys.some'),
						...(values.website_ids.length > 0 && {
							hint: t('account.keys.chosen', { count: values.website_ids.length }),
						}),
					},
				]}
			/>
			{values.reach === 'some' && (
				<WebsitePicker chosen={values.website_ids} onChange={(website_ids) => set({ website_ids })} />
			)}
			<SelectField
				label={t('account.keys.expiry')}
				value={values.expiry}
				fault={values.expiry === 'custom' ? undefined : faultOf('expires_at')}
				// The value is one of the options below.
				onChange={(event) => set({ expiry: event.target.value as KeyValues['expiry'] })}
				options={[
					...(date ? [{ value: 'keep', label: t('account.keys.keepDate', { date }) }] : []),
					{ value: 'never', label: t('account.keys.never') },
					...lifetimes.map((value) => ({ value, label: t(`account.keys.${value}`) })),
					{ value: 'custom', label: t('account.keys.customDate') },
				]}
			/>
			{values.expiry === 'custom' && (
				<TextField
					label={t('account.keys.lastDay')}
					type="date"
					required
					fault={faultOf('expires_at') && t('account.keys.chooseDate')}
					value={values.expires_at}
					onChange={(event) => set({ expires_at: event.target.value })}
				/>
			)}
			<TextArea
				label={t('account.keys.networks')}
				hint={t('account.keys.networksHint')}
				rows={2}
				autoComplete="off"
				autoCapitalize="none"
				spellCheck={false}
				placeholder="203.0.113.0/24"
				fault={faultOf('networks') && t('account.keys.networksFault')}
				value={values.networks}
				onChange={(event) => set({ networks: event.target.value })}
			/>
		</>
	);
}

/** Some of the websites, of which there may be hundreds: what is chosen stays on top, the rest is searched. */
export function WebsitePicker({ chosen, onChange }: { chosen: Chosen; onChange(chosen: Chosen): void }) {
	const { t } = useTranslation();
	const [search, setSearch] = useState('');
	const query = useQuery({
		queryKey: ['websites', 'picked', search],
		queryFn: () => websites.list({ per_page: 25, ...(search !== '' && { search }) }),
		placeholderData: keepPreviousData,
	});
	const isChosen = (id: number) => chosen.some((website) => website.id === id);
	const matches = query.data?.data ?? [];
	const shown = [...chosen, ...matches.filter(({ id }) => !isChosen(id))];
	const more = (query.data?.meta.total ?? 0) - matches.length;
	return (
		<div className={styles.picker}>
			<TextField
				label={t('account.keys.search')}
				type="search"
				value={search}
				onChange={(event) => setSearch(event.target.value)}
			/>
			{!query.data && <Skeleton height={80} />}
			{shown.length > 0 && (
				<ul>
					{shown.map(({ id, domain }) => (
						<li key={id}>
							<label>
								<input
									type="checkbox"
									checked={isChosen(id)}
									onChange={({ target }) =>
										onChange(
											target.checked
												? [...chosen, { id, domain }]
												: chosen.filter((website) => website.id !== id),
										)
									}
								/>
								{domain}
							</label>
						</li>
					))}
				</ul>
			)}
			{query.data && matches.length === 0 && <p className={styles.quiet}>{t('account.keys.noneFound')}</p>}
			{more > 0 && <p className={styles.quiet}>{t('account.keys.moreFound', { count: more })}</p>}
		</div>
	);
}
