import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button.tsx';
import styles from './Copy.module.css';

/** A text to take along: shown whole, and copied by a button that says when it has. */
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
			// A page without TLS has no clipboard; what is selected can still be copied.
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
