import { Check, Copy, ExternalLink, Target } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PanelProps } from '../panel.ts';
import { GoalFromRow } from './GoalFromRow.tsx';
import styles from './RowActions.module.css';

const pageDimensions = ['page', 'entry_page', 'exit_page'];

/** Actions of a row besides the filter: open its page, copy its value, create a goal from it. */
export function RowActions({
	website,
	dimension,
	value,
	name,
	isCreating,
	onCreate,
}: Pick<PanelProps, 'website'> & {
	dimension: string;
	value: string;
	name: string;
	/** The dialog for a goal is open. */
	isCreating: boolean;
	onCreate(isOpen: boolean): void;
}) {
	const { t } = useTranslation();
	const [isCopied, setCopied] = useState(false);
	const isPath = pageDimensions.includes(dimension) && value.startsWith('/');
	const kind = dimension === 'event' ? 'event' : dimension === 'page' && isPath ? 'page' : undefined;
	const labelOf = (action: string) => ({ title: action, 'aria-label': `${action}: ${name}` });
	return (
		<span className={styles.actions}>
			{isPath && (
				<a
					href={`https://${website.domain}${value}`}
					target="_blank"
					rel="noopener noreferrer"
					{...labelOf(t('lazyPanels.rows.open'))}
				>
					<ExternalLink size={14} aria-hidden="true" />
				</a>
			)}
			<button
				type="button"
				{...labelOf(t(isCopied ? 'common.copied' : 'common.copy'))}
				onClick={() => {
					copyText(value).then(setCopied, () => setCopied(false));
				}}
				onBlur={() => setCopied(false)}
			>
				{isCopied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
			</button>
			{kind && website.canEdit && (
				<button type="button" {...labelOf(t('lazyPanels.rows.goal'))} onClick={() => onCreate(true)}>
					<Target size={14} aria-hidden="true" />
				</button>
			)}
			{kind && isCreating && (
				<GoalFromRow
					website={website}
					kind={kind}
					pattern={value}
					name={name}
					onClose={() => onCreate(false)}
				/>
			)}
		</span>
	);
}

async function copyText(text: string): Promise<boolean> {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		// Pages without TLS have no clipboard API; selected text can still be copied.
		const area = document.createElement('textarea');
		area.value = text;
		const focused = document.activeElement;
		document.body.append(area);
		area.select();
		const isCopied = document.execCommand('copy');
		area.remove();
		if (focused instanceof HTMLElement) focused.focus();
		return isCopied;
	}
}
