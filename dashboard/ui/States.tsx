import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button.tsx';
import styles from './States.module.css';
import { useFaultText } from './use-fault-text.ts';

/** What failed, why, and a retry button. */
export function Failure({ error, onTryAgain }: { error: unknown; onTryAgain?: () => void }) {
	const { t } = useTranslation();
	const textOf = useFaultText();
	return (
		<div className={styles.state} role="alert">
			<b>{t('common.errors.title')}</b>
			<p>{textOf(error)}</p>
			{onTryAgain && <Button onClick={onTryAgain}>{t('common.tryAgain')}</Button>}
		</div>
	);
}

/** Empty state with a title and what to do next. */
export function Empty({ title, children }: { title: ReactNode; children?: ReactNode }) {
	return (
		<div className={styles.state}>
			<div className={styles.title}>{title}</div>
			{children}
		</div>
	);
}
