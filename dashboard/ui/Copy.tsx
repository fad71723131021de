import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, type ButtonKind } from './Button.tsx';
import styles from './Copy.module.css';

/** A read-only text with a copy button. */
export function Copy({ text, label }: { text: string; label: string }) {
	const area = useRef<HTMLTextAreaElement>(null);
	const { isCopied, copy } = useCopy(text, () => {
		area.current?.select();
		return undefined;
	});
	const { t } = useTranslation();
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

/** A button that copies a text which is not shown. */
export function CopyButton(props: { text: string; label: string; kind?: ButtonKind; children: ReactNode }) {
	const { text, label, kind = 'plain', children } = props;
	const { t } = useTranslation();
	const { isCopied, copy } = useCopy(text, () => selectOutside(text));
	return (
		<Button
			kind={kind}
			aria-label={isCopied ? undefined : label}
			aria-live="polite"
			onClick={() => void copy()}
		>
			{isCopied ? t('common.copied') : children}
		</Button>
	);
}

/** Pages without TLS have no clipboard API; a selected text can still be copied. */
function useCopy(text: string, select: () => (() => void) | undefined) {
	const [isCopied, setCopied] = useState(false);
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
			const unselect = select();
			setCopied(document.execCommand('copy'));
			unselect?.();
		}
	};
	return { isCopied, copy };
}

function selectOutside(text: string): () => void {
	const area = document.createElement('textarea');
	area.value = text;
	// In an open dialog, the focus cannot leave it.
	(document.activeElement?.closest('[role=dialog]') ?? document.body).append(area);
	area.select();
	return () => area.remove();
}
