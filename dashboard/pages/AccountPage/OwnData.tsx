import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Confirmation } from '../../account/Confirmation.tsx';
import { security } from '../../account-client.ts';
import { addressOf } from '../../api-client.ts';
import { forgetSession } from '../../session.tsx';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useFaultText } from '../../ui/use-fault-text.ts';
import styles from './AccountPage.module.css';

/** Downloading what is stored about the person, and deleting their sign-in. */
export function OwnData() {
	const { t, i18n } = useTranslation();
	const faultText = useFaultText();
	const [isAsked, setAsked] = useState(false);
	const plan = useQuery({
		queryKey: ['session', 'deletion'],
		queryFn: security.planDeletion,
		enabled: isAsked,
		staleTime: 0,
	});
	const list = (names: readonly string[]) => new Intl.ListFormat(i18n.language).format(names);
	const blockedBy = plan.data?.blocked_by ?? [];
	const accounts = plan.data?.accounts ?? [];
	return (
		<>
			<div className={styles.actions}>
				<Button onClick={() => location.assign(addressOf('/session/data'))}>
					{t('account.ownData.download')}
				</Button>
				<Button kind="danger" busy={isAsked && plan.isFetching} onClick={() => setAsked(true)}>
					{t('account.ownData.delete')}
				</Button>
			</div>
			{plan.error && <Notice kind="fault">{faultText(plan.error)}</Notice>}
			{isAsked && blockedBy.length > 0 && (
				<Notice kind="fault">
					{t('account.ownData.blocked', { accounts: list(blockedBy.map(({ name }) => name)) })}
				</Notice>
			)}
			{isAsked && plan.data && blockedBy.length === 0 && (
				<Confirmation
					title={t('account.ownData.deleteTitle')}
					text={
						accounts.every(({ websites }) => websites.length === 0)
							? t('account.ownData.nothingElse')
							: t('account.ownData.accounts', {
									accounts: list(
										accounts.map(({ name, websites }) =>
											websites.length === 0 ? name : `${name} (${list(websites)})`,
										),
									),
								})
					}
					action={t('account.ownData.delete')}
					needsProof
					onConfirm={async (proof) => {
						await security.deletePerson(
							accounts.map(({ id }) => id),
							proof,
						);
						await forgetSession();
					}}
					onClose={() => setAsked(false)}
				/>
			)}
		</>
	);
}
