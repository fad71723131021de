import * as Radix from 'radix-ui/popover';
import type { ReactNode } from 'react';
import styles from './Popover.module.css';

/** A button that opens a popover. Escape and a click outside close it. */
export function Popover({
	button,
	label,
	className,
	isOpen,
	onOpenChange,
	align = 'end',
	children,
}: {
	button: ReactNode;
	/** Accessible name of the popover. */
	label: string;
	className?: string | undefined;
	isOpen: boolean;
	onOpenChange(isOpen: boolean): void;
	align?: 'start' | 'end';
	children: ReactNode;
}) {
	return (
		<Radix.Root open={isOpen} onOpenChange={onOpenChange}>
			<Radix.Trigger className={className}>{button}</Radix.Trigger>
			<Radix.Portal>
				<Radix.Content
					className={styles.popover}
					aria-label={label}
					align={align}
					sideOffset={6}
					collisionPadding={10}
				>
					{children}
				</Radix.Content>
			</Radix.Portal>
		</Radix.Root>
	);
}
