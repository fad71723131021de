import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { noProof, ProofFields, toProof } from '../../account/ProofFields.tsx';
import { keys } from '../../account-client.ts';
import { ApiError, type Key, type WebsiteRecord, websites } from '../../api-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './AccountPage.module.css';
import { KeyFields, toFields, useKeyCheck, valuesOf } from './KeyFields.tsx';

type EditProps = { apiKey: Key; onSaved(): void; onCancel(): void };

/** The domains of a limited key are loaded first. */
export function EditKey(props: EditProps) {
	const ids = props.apiKey.website_ids ?? [];
	const query = useQuery({ queryKey: ['websites', 'of key', ids], queryFn: () => findWebsites(ids) });
	if (query.error) return <Failure error={query.error} onTryAgain={() => void query.refetch()} />;
	if (!query.data) return <Skeleton height={320} />;
	return <EditForm {...props} chosen={query.data} />;
}

/** Those that still exist. */
export async function findWebsites(ids: readonly number[]): Promise<WebsiteRecord[]> {
	const found: WebsiteRecord[] = [];
	for (let page = 1; found.length < ids.length; page++) {
		const { data } = await websites.list({ page, per_page: 100 });
		if (data.length === 0) break;
		found.push(...data.filter(({ id }) => ids.includes(id)));
	}
	return found;
}

function EditForm({ apiKey, chosen, onSaved, onCancel }: EditProps & { chosen: readonly WebsiteRecord[] }) {
	const { t } = useTranslation();
	const [needsProof, setNeedsProof] = useState(false);
	const form = useForm(
		{ ...noProof, ...valuesOf(apiKey, chosen) },
		async (values) => {
			try {
				await keys.update(apiKey.id, {
					...toFields(values, new Date()),
					...(needsProof && toProof(values)),
				});
			} catch (error) {
				// Only the server decides whether a change gives the key more access.
				const isAsked = error instanceof ApiError && 'password' in error.fields;
				if (needsProof || !isAsked) throw error;
				return setNeedsProof(true);
			}
			onSaved();
		},
		useKeyCheck(),
	);
	return (
		<form className={styles.form} onSubmit={form.submit}>
			<KeyFields form={form} expiresAt={apiKey.expires_at} />
			{needsProof && (
				<>
					<Notice>{t('account.keys.widen')}</Notice>
					<ProofFields form={form} autoFocus />
				</>
			)}
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={styles.actions}>
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('common.save')}
				</Button>
				<Button kind="quiet" onClick={onCancel}>
					{t('common.cancel')}
				</Button>
			</div>
		</form>
	);
}
