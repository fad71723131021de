import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button.tsx';
import styles from './Copy.module.css';

/** A read-only text with a copy button. */
export function Copy({ text, label }: { text: string; label: string }) {
	const { t } = useTranslation();
	const [isCopied, setCopied] = useState(false);
	const area = useRef<HTMLTextAreaElement>(null);
	useEffect(() => {
		if (!isCopied) return;
		const timer = setTimeout(() => setCopied(false), 2500);
		return () => clearTimeout(timer);
	}, [isCopied]);
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(text);
			setCopied(true);
		} catch {
			// Pages without TLS have no clipboard API; the selected text can still be copied.
			area.current?.select();
			setCopied(document.execCommand('copy'));
		}
	};
	return (
		<div className={styles.copy}>
			<textarea
				ref={area}
				readOnly
				aria-label={label}
				rows={text.split('\n').length}
				value={text}
				spellCheck={false}
			/>
			<Button onClick={() => void copy()} aria-live="polite">
				{isCopied ? t('common.copied') : t('common.copy')}
			</Button>
		</div>
	);
}
