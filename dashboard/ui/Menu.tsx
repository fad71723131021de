import * as Radix from 'radix-ui/dropdown-menu';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './Menu.module.css';

/** A button that opens a menu of actions or links. */
export function Menu({
	button,
	label,
	className,
	align = 'end',
	children,
}: {
	button: ReactNode;
	/** Accessible name where the content of the button is not enough. */
	label?: string;
	className?: string | undefined;
	align?: 'start' | 'end';
	children: ReactNode;
}) {
	return (
		<Radix.Root modal={false}>
			<Radix.Trigger className={className} aria-label={label}>
				{button}
			</Radix.Trigger>
			<Radix.Portal>
				<Radix.Content className={styles.menu} align={align} sideOffset={6} collisionPadding={10}>
					{children}
				</Radix.Content>
			</Radix.Portal>
		</Radix.Root>
	);
}

export function MenuItem({
	onSelect,
	isChosen,
	children,
}: {
	onSelect(): void;
	/** Set for menus in which one item is selected. */
	isChosen?: boolean;
	children: ReactNode;
}) {
	if (isChosen === undefined)
		return (
			<Radix.Item className={styles.item} onSelect={onSelect}>
				{children}
			</Radix.Item>
		);
	return (
		<Radix.CheckboxItem className={styles.item} checked={isChosen} onSelect={onSelect}>
			{children}
			<Radix.ItemIndicator className={styles.tick}>✓</Radix.ItemIndicator>
		</Radix.CheckboxItem>
	);
}

export function MenuLink({
	href,
	isChosen = false,
	children,
}: {
	href: string;
	isChosen?: boolean;
	children: ReactNode;
}) {
	return (
		<Radix.Item className={styles.item} asChild>
			<Link href={href} aria-current={isChosen || undefined}>
				{children}
				{isChosen && (
					<span className={styles.tick} aria-hidden="true">
						✓
					</span>
				)}
			</Link>
		</Radix.Item>
	);
}

export const MenuLine = () => <Radix.Separator className={styles.line} />;

/** A number at the end of an item. */
export const MenuCount = ({ children }: { children: ReactNode }) => (
	<small className={styles.count}>{children}</small>
);

/** A sentence between items. */
export const MenuNote = ({ children }: { children: ReactNode }) => (
	<Radix.Label className={styles.note}>{children}</Radix.Label>
);

export const MenuTitle = ({ children }: { children: ReactNode }) => (
	<Radix.Label className={styles.title}>{children}</Radix.Label>
);
