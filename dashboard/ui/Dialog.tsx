import * as Radix from 'radix-ui/dialog';
import { type ReactNode, useRef } from 'react';
import styles from './Dialog.module.css';

/** A modal dialog. Escape and a click outside close it, and the focus returns to where it was. */
export function Dialog(props: {
	title: ReactNode;
	/** Heading and accessible name. */
	text?: ReactNode;
	isOpen: boolean;
	onClose(): void;
	wide?: boolean;
	closeLabel: string;
	children?: ReactNode;
}) {
	const before = useRef<Element>(null);
	const content = useRef<HTMLDivElement>(null);
	return (
		<Radix.Root open={props.isOpen} onOpenChange={(isOpen) => !isOpen && props.onClose()}>
			<Radix.Portal>
				<Radix.Overlay className={styles.veil} />
				<Radix.Content
					ref={content}
					className={`${styles.dialog} ${props.wide ? styles.wide : ''}`}
					{...(!props.text && { 'aria-describedby': undefined })}
					onOpenAutoFocus={(event) => {
						before.current = document.activeElement;
						// By default the close button would get it: it comes first.
						event.preventDefault();
						const dialog = content.current;
						// On a touch screen a focused field opens the keyboard, which covers half of the dialog.
						const field = dialog && matchMedia('(pointer: fine)').matches ? firstField(dialog) : null;
						(field ?? dialog)?.focus();
					}}
					onCloseAutoFocus={(event) => {
						// Radix restores the focus only to a trigger of its own.
						event.preventDefault();
						if (before.current instanceof HTMLElement) before.current.focus();
					}}
				>
					<header>
						<Radix.Title>{props.title}</Radix.Title>
						<Radix.Close aria-label={props.closeLabel}>×</Radix.Close>
					</header>
					{props.text && <Radix.Description className={styles.text}>{props.text}</Radix.Description>}
					{props.children}
				</Radix.Content>
			</Radix.Portal>
		</Radix.Root>
	);
}

/** The chosen one of a group of radio buttons: that is where the Tab key would go. */
const firstField = (dialog: HTMLElement) =>
	dialog.querySelector<HTMLElement>(
		':is(input:not([type=radio]), input[type=radio]:checked, select, textarea):not(:disabled, [readonly])',
	);
