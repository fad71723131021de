import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './Button.module.css';

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger';

const classOf = (kind: ButtonKind, own?: string) =>
	[styles.button, styles[kind], own].filter(Boolean).join(' ');

/** While `busy` it keeps its width and focus and ignores clicks. */
export function Button({
	kind = 'plain',
	busy = false,
	type = 'button',
	className,
	onClick,
	...rest
}: ComponentProps<'button'> & { kind?: ButtonKind; busy?: boolean }) {
	return (
		<button
			{...rest}
			type={type}
			className={classOf(kind, className)}
			aria-busy={busy || undefined}
			onClick={busy ? (event) => event.preventDefault() : onClick}
		/>
	);
}

/** A link that looks like a button. */
export function ButtonLink({
	kind = 'plain',
	href,
	children,
}: {
	kind?: ButtonKind;
	href: string;
	children: ReactNode;
}) {
	return (
		<Link href={href} className={classOf(kind)}>
			{children}
		</Link>
	);
}
