import { type ReactNode, useState } from 'react';
import styles from './Info.module.css';
import { Popover } from './Popover.tsx';

/** A word that says what it means when it is pressed. Without one it is a small button, there on touch alone. */
export function Info({
	label,
	text,
	className = '',
	children,
}: {
	/** What it tells, for who listens: `What visits are`. */
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
