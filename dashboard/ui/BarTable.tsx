import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './BarTable.module.css';
import { Info } from './Info.tsx';

export type BarRow = {
	key: string;
	name: ReactNode;
	/** A second line below the name. */
	note?: ReactNode;
	/** Full name, where the shown one is cut. */
	title?: string;
	/** Length of the bar, 0 to 1. */
	share: number;
	cells: readonly ReactNode[];
	/** Target of the row; without it the row is not a link. */
	href?: string | undefined;
	/** Accessible name of the link. */
	label?: string | undefined;
	/** The row is an active filter. */
	isOn?: boolean;
	/** Sum of all other values. */
	isQuiet?: boolean;
};

/** A table whose rows are bars. The first number sets the length. */
export function BarTable({
	caption,
	nameLabel,
	columns,
	rows,
	isHeadShown = false,
	isStacked = false,
}: {
	/** Accessible name of the table. */
	caption: string;
	nameLabel: string;
	/** `title` explains the column. */
	columns: readonly { key: string; label: string; title?: string | undefined; width?: number }[];
	rows: readonly BarRow[];
	isHeadShown?: boolean;
	/** On phones, the cells after the first are below it, so that names keep their room. */
	isStacked?: boolean;
}) {
	return (
		<table className={`${styles.table} ${isStacked ? styles.stacked : ''}`}>
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
				{rows.map(({ key, name, note, title, share, cells, href, label, isOn, isQuiet }) => (
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
							{note && <small>{note}</small>}
						</th>
						{columns.map((column, index) => (
							<td key={column.key} data-label={column.label}>
								{cells[index]}
							</td>
						))}
					</tr>
				))}
			</tbody>
		</table>
	);
}
