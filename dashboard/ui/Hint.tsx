import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import styles from './Hint.module.css';

/** Says more of something while a pointer rests on it or the focus is there. */
export function Hint({
	text,
	side = 'top',
	children,
}: {
	text: ReactNode;
	side?: 'top' | 'bottom';
	/** Something that can have the focus. */
	children: ReactElement;
}) {
	return (
		<Radix.Provider delayDuration={350} skipDelayDuration={200}>
			<Radix.Root>
				<Radix.Trigger asChild>{children}</Radix.Trigger>
				<Radix.Portal>
					<Radix.Content className={styles.hint} side={side} sideOffset={6} collisionPadding={10}>
						{text}
					</Radix.Content>
				</Radix.Portal>
			</Radix.Root>
		</Radix.Provider>
	);
}
