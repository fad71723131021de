import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { noProof, type Proof, ProofFields, toProof } from '../../account/ProofFields.tsx';
import { ApiError, keys, type ShownKey, type WebsiteRecord, websites } from '../../api-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Choices, TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './AccountPage.module.css';

type Chosen = readonly Pick<WebsiteRecord, 'id' | 'domain'>[];
type Values = Proof & { name: string; access: 'read' | 'full'; reach: 'all' | 'some'; website_ids: Chosen };

/** Reading is what most programs need, so it is chosen at first. */
const initial: Values = { ...noProof, name: '', access: 'read', reach: 'all', website_ids: [] };

export function NewKey({ onMade, onCancel }: { onMade(made: ShownKey): void; onCancel(): void }) {
	const { t } = useTranslation();
	const form = useForm(
		initial,
		async ({ name, access, reach, website_ids, ...proof }) =>
			onMade(
				await keys.create({
					...toProof(proof),
					name,
					access,
					...(reach === 'some' && { website_ids: website_ids.map(({ id }) => id) }),
				}),
			),
		({ reach, website_ids }) => ({
			website_ids: reach === 'some' && website_ids.length === 0 ? t('account.keys.chooseOne') : undefined,
		}),
	);
	const { values, set } = form;
	const isFull = form.error instanceof ApiError && form.error.code === 'limit_reached';
	return (
		<form className={styles.form} onSubmit={form.submit}>
			<TextField
				label={t('account.keys.name')}
				hint={t('account.keys.nameHint')}
				required
				maxLength={200}
				autoComplete="off"
				fault={isFull ? t('account.keys.limit') : form.faultOf('name')}
				value={values.name}
				onChange={(event) => set({ name: event.target.value })}
			/>
			<Choices
				label={t('account.keys.access')}
				value={values.access}
				onChange={(access) => set({ access })}
				options={(['read', 'full'] as const).map((value) => ({
					value,
					label: t(`account.keys.${value}`),
					hint: t(`account.keys.${value}Hint`),
				}))}
			/>
			<Choices
				label={t('account.keys.websites')}
				value={values.reach}
				fault={form.faultOf('website_ids')}
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
				<Picker chosen={values.website_ids} onChange={(website_ids) => set({ website_ids })} />
			)}
			<ProofFields form={form} />
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={styles.actions}>
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('account.keys.create')}
				</Button>
				<Button kind="quiet" onClick={onCancel}>
					{t('common.cancel')}
				</Button>
			</div>
		</form>
	);
}

/** Some of the websites, of which there may be hundreds: what is chosen stays on top, the rest is searched. */
function Picker({ chosen, onChange }: { chosen: Chosen; onChange(chosen: Chosen): void }) {
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
