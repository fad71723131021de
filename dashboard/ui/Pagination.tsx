import { Link } from 'wouter';
import styles from './Pagination.module.css';

/** Pagination: first, last and neighboring pages. */
export function Pagination({
	label,
	current,
	last,
	addressOf,
	nameOf,
	previous,
	next,
}: {
	label: string;
	current: number;
	last: number;
	addressOf(page: number): string;
	nameOf(page: number): string;
	previous: string;
	next: string;
}) {
	if (last < 2) return null;
	const toTop = () => scrollTo({ top: 0 });
	const step = (page: number, name: string, sign: string) =>
		page >= 1 && page <= last ? (
			<Link href={addressOf(page)} aria-label={name} onClick={toTop}>
				{sign}
			</Link>
		) : (
			<span className={styles.end} aria-hidden="true">
				{sign}
			</span>
		);
	return (
		<nav className={styles.pages} aria-label={label}>
			{step(current - 1, previous, '‹')}
			{pagesAround(current, last).map((page, index, all) => (
				<span key={page} className={styles.place}>
					{page - (all[index - 1] ?? 0) > 1 && <span aria-hidden="true">…</span>}
					<Link
						href={addressOf(page)}
						aria-label={nameOf(page)}
						aria-current={page === current ? 'page' : undefined}
						onClick={toTop}
					>
						{page}
					</Link>
				</span>
			))}
			{step(current + 1, next, '›')}
		</nav>
	);
}

function pagesAround(current: number, last: number): number[] {
	const all = Array.from({ length: last }, (_, index) => index + 1);
	return all.filter((page) => page === 1 || page === last || Math.abs(page - current) <= 1);
}
