import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useAccount } from '../session.tsx';
import { Notice } from '../ui/Notice.tsx';

/** Says which policies the session does not meet, and what to do. */
export function PolicyNotice() {
	const { t } = useTranslation();
	const { policy, two_factor: hasFactor, passkeys } = useAccount();
	const hasOwn = hasFactor || passkeys > 0;
	const codes = new Set([policy.refused, ...policy.accounts.map(({ code }) => code)]);
	return (
		<Notice kind={policy.refused ? 'fault' : 'note'}>
			{policy.refused && <p>{t(`policy.refused.${policy.refused}`)}</p>}
			{policy.accounts.map(({ name, code }) => (
				<p key={name + code}>{t(`policy.elsewhere.${code}`, { account: name })}</p>
			))}
			{codes.has('second_factor_required') &&
				(hasOwn ? (
					<p>{t('policy.useFactor')}</p>
				) : (
					<p>
						<Link href="/account/security">{t('policy.setUp')}</Link>
					</p>
				))}
			{codes.has('provider_required') && (
				<p>
					<Link href="/account/security">{t('policy.link')}</Link>
				</p>
			)}
		</Notice>
	);
}
