import { Dialog as Radix } from 'radix-ui';
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
	return (
		<Radix.Root open={props.isOpen} onOpenChange={(isOpen) => !isOpen && props.onClose()}>
			<Radix.Portal>
				<Radix.Overlay className={styles.veil} />
				<Radix.Content
					className={`${styles.dialog} ${props.wide ? styles.wide : ''}`}
					{...(!props.text && { 'aria-describedby': undefined })}
					onOpenAutoFocus={() => {
						before.current = document.activeElement;
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
