import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './BarTable.module.css';
import { Info } from './Info.tsx';

export type BarRow = {
	key: string;
	name: ReactNode;
	/** Shown whole where the name does not fit. */
	title?: string;
	/** How long its bar is, 0 to 1. */
	share: number;
	cells: readonly ReactNode[];
	/** Where a press on the row leads; without it the row is nothing to press. */
	href?: string | undefined;
	/** What a press does, for who listens: `Only Germany`. */
	label?: string | undefined;
	/** It is chosen. */
	isOn?: boolean;
	/** It is no value of its own: the rest of all. */
	isQuiet?: boolean;
};

/** Rows that are bars. The first number counts most; those behind it explain. */
export function BarTable({
	caption,
	nameLabel,
	columns,
	rows,
	isHeadShown = false,
}: {
	/** For who listens. */
	caption: string;
	nameLabel: string;
	/** `title` is what the column means. */
	columns: readonly { key: string; label: string; title?: string | undefined; width?: number }[];
	rows: readonly BarRow[];
	isHeadShown?: boolean;
}) {
	return (
		<table className={styles.table}>
			<caption className="unseen">{caption}</caption>
			<colgroup>
				<col />
				{columns.map(({ key, width = 72 }) => (
					<col key={key} style={{ width }} />
				))}
			</colgroup>
			<thead className={isHeadShown ? styles.head : 'unseen'}>
				<tr>
					<th scope="col">{nameLabel}</th>
					{columns.map(({ key, label, title }) => (
						<th key={key} scope="col" title={title}>
							{title && isHeadShown ? (
								<Info label={label} text={title}>
									{label}
								</Info>
							) : (
								label
							)}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{rows.map(({ key, name, title, share, cells, href, label, isOn, isQuiet }) => (
					<tr
						key={key}
						style={{ '--share': share }}
						data-on={isOn || undefined}
						data-quiet={isQuiet || undefined}
						data-link={href !== undefined || undefined}
					>
						<th scope="row">
							{href === undefined ? (
								<span title={title}>{name}</span>
							) : (
								<Link href={href} title={title} aria-label={label} aria-current={isOn || undefined}>
									{name}
								</Link>
							)}
						</th>
						{columns.map((column, index) => (
							<td key={column.key}>{cells[index]}</td>
						))}
					</tr>
				))}
			</tbody>
		</table>
	);
}
