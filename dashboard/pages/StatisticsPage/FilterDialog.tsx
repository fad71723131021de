import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useDeferredValue, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../presentation/format.ts';
import {
	type Filter,
	parametersOf,
	type Test,
	tests,
	type ViewQuery,
} from '../../../presentation/view-query.ts';
import { type Row, statistics } from '../../api-client.ts';
import { canFilterBy, type ShownWebsite } from '../../stats/panel.ts';
import { useNames } from '../../stats/use-names.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import styles from './Dialogs.module.css';

/** Dimensions by group. */
const groups = {
	pages: ['page', 'entry_page', 'exit_page', 'hostname', 'title'],
	sources: [
		'channel',
		'source',
		'referrer',
		'utm_campaign',
		'utm_source',
		'utm_medium',
		'utm_term',
		'utm_content',
	],
	places: ['country', 'region', 'city', 'language'],
	devices: ['device', 'browser', 'browser_version', 'os', 'os_version', 'screen'],
	other: ['event', 'goal', 'property', 'hour', 'weekday'],
} as const;

/** Their values have translated names, so the server cannot search them; the lists are short. */
const named = ['country', 'language', 'device', 'channel', 'screen', 'weekday', 'hour'];
/** A part of a number is not a useful search. */
const exact = ['goal', 'hour', 'weekday'];

/** Index of the edited filter; undefined: a new one. */
type Editing = { index: number | undefined };

/** Adds or edits a filter and suggests values of the period. */
export function FilterDialog(props: {
	website: ShownWebsite;
	query: ViewQuery;
	editing: Editing;
	onClose(): void;
	onApply(filter: Filter): void;
}) {
	const { t } = useTranslation();
	const { editing } = props;
	return (
		<Dialog
			title={t(editing.index === undefined ? 'statistics.filter.addTitle' : 'statistics.filter.editTitle')}
			isOpen
			onClose={props.onClose}
			closeLabel={t('common.close')}
		>
			<FilterForm {...props} />
		</Dialog>
	);
}

function FilterForm({
	website,
	query,
	editing,
	onApply,
}: {
	website: ShownWebsite;
	query: ViewQuery;
	editing: Editing;
	onApply(filter: Filter): void;
}) {
	const { t } = useTranslation();
	const names = useNames();
	const edited = editing.index === undefined ? undefined : query.filters[editing.index];
	const editedProperty = edited && /^property:(.*)$/s.exec(edited.dimension)?.[1];
	const [kind, setKind] = useState(editedProperty === undefined ? (edited?.dimension ?? 'page') : 'property');
	const [property, setProperty] = useState(editedProperty ?? '');
	const [test, setTest] = useState<Test>(edited?.test ?? 'is');
	const [values, setValues] = useState<readonly string[]>(edited?.values ?? []);
	const [search, setSearch] = useState('');
	const dimension = kind === 'property' ? `property:${property}` : kind;
	const isListed = test === 'is' || test === 'is_not';
	// Public statistics cannot be filtered by a part of a value.
	const isExact = exact.includes(kind) || website.isShared;
	const possible = isExact ? tests.filter((name) => name === 'is' || name === 'is_not') : tests;
	const typed = search.trim();
	const isFree = isListed ? !named.includes(kind) && kind !== 'goal' : true;
	const all = isFree && typed !== '' && !values.includes(typed) ? [...values, typed] : values;
	const isReady = all.length > 0 && (kind !== 'property' || property !== '');
	const toggle = (value: string) => {
		setSearch('');
		setValues(values.includes(value) ? values.filter((other) => other !== value) : [...values, value]);
	};
	const apply = (event: FormEvent) => {
		event.preventDefault();
		if (isReady) onApply({ test, dimension, values: all });
	};
	return (
		<form className={styles.form} onSubmit={apply}>
			<div className={styles.pair}>
				<SelectField
					label={t('statistics.filter.dimension')}
					value={kind}
					onChange={(event) => {
						setKind(event.target.value);
						setValues([]);
						setSearch('');
						if (exact.includes(event.target.value) && !isListed) setTest('is');
					}}
					options={Object.entries(groups).map(([group, dimensions]) => ({
						// Object.entries forgets that the names are those of the table.
						label: t(`statistics.filter.groups.${group as keyof typeof groups}`),
						options: dimensions
							.filter((name) => canFilterBy(website, name))
							.map((name) => ({ value: name, label: t(`statistics.dimensions.${name}`) })),
					}))}
				/>
				<SelectField
					label={t('statistics.filter.test')}
					value={test}
					onChange={(event) => setTest(tests.find((name) => name === event.target.value) ?? 'is')}
					options={possible.map((name) => ({ value: name, label: t(`statistics.filter.tests.${name}`) }))}
				/>
			</div>
			{kind === 'property' && (
				<TextField
					label={t('statistics.filter.property')}
					value={property}
					required
					maxLength={100}
					onChange={(event) => setProperty(event.target.value)}
				/>
			)}
			<TextField
				label={t('statistics.filter.values')}
				value={search}
				placeholder={isListed ? t('statistics.filter.search') : ''}
				autoComplete="off"
				onChange={(event) => setSearch(event.target.value)}
			/>
			{values.length > 0 && (
				<div className={styles.chosen}>
					{values.map((value) => (
						<button
							key={value}
							type="button"
							aria-label={`${names.value(dimension, value)}: ${t('common.remove')}`}
							onClick={() => toggle(value)}
						>
							{names.value(dimension, value)} <span aria-hidden="true">×</span>
						</button>
					))}
				</div>
			)}
			{isListed && (kind !== 'property' || property !== '') && (
				<Suggestions
					website={website.id}
					query={{ ...query, filters: query.filters.filter((filter) => filter !== edited) }}
					dimension={dimension}
					isNamed={named.includes(kind)}
					search={typed}
					values={values}
					onToggle={toggle}
				/>
			)}
			<div className={styles.buttons}>
				<Button kind="primary" type="submit" disabled={!isReady}>
					{t('statistics.filter.apply')}
				</Button>
			</div>
		</form>
	);
}

/** Values of the period, most frequent first. */
function Suggestions(props: {
	website: number;
	query: ViewQuery;
	dimension: string;
	isNamed: boolean;
	search: string;
	values: readonly string[];
	onToggle(value: string): void;
}) {
	const { t, i18n } = useTranslation();
	const names = useNames();
	const title = useId();
	const { website, query, dimension, isNamed, values } = props;
	const search = useDeferredValue(props.search);
	const parameters = {
		...parametersOf(query),
		metrics: 'visitors',
		per_page: isNamed ? 100 : 25,
		...(!isNamed && search !== '' && { search }),
	};
	const { data } = useQuery({
		queryKey: ['stats', website, dimension, parameters],
		queryFn: ({ signal }) => statistics.breakdown(website, dimension, parameters, signal),
		placeholderData: (before) => before,
	});
	const nameOf = (row: Row) => names.row(dimension, row);
	const isFound = (row: Row) =>
		!isNamed || nameOf(row).toLocaleLowerCase().includes(search.toLocaleLowerCase());
	const rows = data?.data.filter((row) => !row.other && isFound(row));
	return (
		<div>
			<p id={title} className="unseen">
				{t('statistics.filter.suggestions')}
			</p>
			{/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll */}
			<div className={styles.suggestions} role="group" aria-labelledby={title}>
				{rows?.map((row) => (
					<label key={row.value}>
						<input
							type="checkbox"
							checked={values.includes(row.value)}
							onChange={() => props.onToggle(row.value)}
						/>
						<span>{nameOf(row)}</span>
						<small>{formatCount(row.visitors, i18n.language)}</small>
					</label>
				))}
				{rows?.length === 0 && <p className={styles.quiet}>{t('statistics.filter.nothingFound')}</p>}
			</div>
		</div>
	);
}
