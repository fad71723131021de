import { type ReactNode, useState } from 'react';
import styles from './Info.module.css';
import { Popover } from './Popover.tsx';

/** A term that explains itself when clicked. Without a term it is a small button for touch devices. */
export function Info({
	label,
	text,
	className = '',
	children,
}: {
	/** Accessible name of the explanation. */
	label: string;
	text: string;
	className?: string | undefined;
	children?: ReactNode;
}) {
	const [isOpen, setOpen] = useState(false);
	const button = children ?? (
		<>
			<span aria-hidden="true">i</span>
			<span className="unseen">{label}</span>
		</>
	);
	return (
		<Popover
			button={button}
			label={label}
			className={`${children === undefined ? styles.info : styles.word} ${className}`}
			isOpen={isOpen}
			onOpenChange={setOpen}
		>
			<p className={styles.text}>{text}</p>
		</Popover>
	);
}
