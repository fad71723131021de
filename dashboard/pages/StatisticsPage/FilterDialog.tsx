import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
	type Filter,
	filterOf,
	numberTests,
	setTests,
	splitTest,
	type Test,
	type TestName,
	textTests,
} from '../../../presentation/filter-chips.ts';
import { formatCount } from '../../../presentation/format.ts';
import { oneOf } from '../../../presentation/one-of.ts';
import { readNumber, writeNumber } from '../../../presentation/read-number.ts';
import { parametersOf, type ViewQuery } from '../../../presentation/view-query.ts';
import { ApiError, type Row, statistics } from '../../api-client.ts';
import { canFilterBy, type ShownWebsite } from '../../stats/panel.ts';
import { useNames } from '../../stats/use-names.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { SelectField, Switch, TextField } from '../../ui/Field.tsx';
import styles from './Dialogs.module.css';

/** Dimensions by group. */
const groups = {
	pages: ['page', 'page_group', 'entry_page', 'exit_page', 'hostname', 'title'],
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
	other: ['event', 'goal', 'property', 'revenue', 'hour', 'weekday'],
} as const;

/** Their values have translated names, so the server cannot search them; the lists are short. */
const named = ['country', 'language', 'device', 'channel', 'screen', 'weekday', 'hour'];
/** A part of a number is not a useful search. */
const exact = ['goal', 'hour', 'weekday'];

/** The tests of a dimension. Public statistics can only be filtered by whole values. */
function testsOf(kind: string, isShared: boolean): readonly TestName[] {
	if (isShared || kind === 'hour' || kind === 'weekday') return ['is', 'is_not'];
	if (kind === 'goal') return ['is', 'is_not', ...setTests];
	if (kind === 'revenue') return [...numberTests, ...setTests];
	return kind === 'property' ? [...textTests, ...setTests, ...numberTests] : [...textTests, ...setTests];
}

/** What the service says about a filter that it refuses. */
async function findFault(website: number, filter: Filter): Promise<string | undefined> {
	const filters = JSON.stringify(filterOf([filter]));
	try {
		await statistics.summary(website, { period: 'today', interval: 'day', metrics: 'visitors', filters });
	} catch (error) {
		if (error instanceof ApiError) return error.fields.filters?.[0];
	}
	return undefined;
}

/** The dimension of a filter without the property or currency that it names. */
const kindOf = (dimension: string): string => /^(property|revenue):/.exec(dimension)?.[1] ?? dimension;
const nameOf = (dimension: string | undefined): string =>
	/^(?:property|revenue):(.*)$/s.exec(dimension ?? '')?.[1] ?? '';

const firstKindOf = (website: ShownWebsite): string =>
	Object.values(groups)
		.flat()
		.find((name) => canFilterBy(website, name)) ?? 'page';

/** Index of the edited filter; undefined: a new one. */
type Editing = { index: number | undefined };

/** Adds or edits a filter and suggests values of the period. */
export function FilterDialog(props: {
	website: ShownWebsite;
	query: ViewQuery;
	editing: Editing;
	/** Dimensions that cannot be chosen. */
	without?: readonly string[];
	onClose(): void;
	onApply(filter: Filter): void;
}) {
	const { t } = useTranslation();
	const { editing } = props;
	return (
		<Dialog
			title={t(editing.index === undefined ? 'filterDialog.addTitle' : 'filterDialog.editTitle')}
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
	without = [],
	onApply,
}: {
	website: ShownWebsite;
	query: ViewQuery;
	editing: Editing;
	without?: readonly string[];
	onApply(filter: Filter): void;
}) {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	const names = useNames();
	const edited = editing.index === undefined ? undefined : query.filters[editing.index];
	const before = edited && splitTest(edited.test);
	const [kind, setKind] = useState(edited ? kindOf(edited.dimension) : firstKindOf(website));
	/** Of a property, or the currency of revenue. */
	const [name, setName] = useState(nameOf(edited?.dimension));
	const [test, setTest] = useState<TestName>(before?.name ?? 'is');
	const [ignoresCase, setIgnoresCase] = useState(before?.ignoresCase ?? false);
	const isOfNumbers = oneOf(numberTests, test) !== undefined;
	const [numbers, setNumbers] = useState<readonly string[]>(
		isOfNumbers ? (edited?.values ?? []).map((number) => writeNumber(number, language)) : [],
	);
	const [values, setValues] = useState<readonly string[]>(isOfNumbers ? [] : (edited?.values ?? []));
	const [search, setSearch] = useState('');
	const [fault, setFault] = useState<string>();
	const [isBusy, setBusy] = useState(false);
	const isShown = useIsShown();
	const dimension = (kind === 'property' || kind === 'revenue') && name !== '' ? `${kind}:${name}` : kind;
	const isListed = test === 'is' || test === 'is_not';
	const isSet = oneOf(setTests, test) !== undefined;
	const possible = testsOf(kind, website.isShared);
	const canIgnoreCase =
		oneOf(textTests, test) !== undefined &&
		!website.isShared &&
		!exact.includes(kind) &&
		!named.includes(kind);
	const typed = search.trim();
	const isFree = isListed ? !named.includes(kind) && kind !== 'goal' : true;
	const texts = isFree && typed !== '' && !values.includes(typed) ? [...values, typed] : values;
	const limits = numbers.slice(0, test === 'between' ? 2 : 1).map((text) => readNumber(text, language));
	const all = isSet ? [] : isOfNumbers ? limits : texts;
	const hasValues = isSet || (isOfNumbers ? !limits.includes('') && limits.length > 0 : all.length > 0);
	const isReady =
		hasValues && (kind !== 'property' || name !== '') && !(test === 'between' && limits.length < 2);
	const toggle = (value: string) => {
		setSearch('');
		setValues(values.includes(value) ? values.filter((other) => other !== value) : [...values, value]);
	};
	const apply = async (event: FormEvent) => {
		event.preventDefault();
		if (!isReady || isBusy) return;
		// Only tests of texts can ignore case, which the type does not know.
		const filter: Filter = {
			test: (canIgnoreCase && ignoresCase ? `${test}:i` : test) as Test,
			dimension,
			values: all,
		};
		setBusy(true);
		const found = isListed || isSet ? undefined : await findFault(website.id, filter);
		// Closed meanwhile.
		if (!isShown.current) return;
		setBusy(false);
		setFault(found);
		if (found === undefined) onApply(filter);
	};
	const labelOf = (option: (typeof groups)[keyof typeof groups][number]) =>
		option === 'revenue' ? names.dimension(option) : t(`statistics.dimensions.${option}`);
	const hintOf = (chosen: TestName) =>
		chosen.endsWith('wildcard')
			? t('filterDialog.wildcardHint')
			: chosen.endsWith('matches') && t('filterDialog.matchesHint');
	return (
		<form className={styles.form} onSubmit={apply}>
			<div className={styles.pair}>
				<SelectField
					label={t('filterDialog.dimension')}
					value={kind}
					onChange={(event) => {
						const chosen = event.target.value;
						const others = testsOf(chosen, website.isShared);
						setKind(chosen);
						setName('');
						setValues([]);
						setSearch('');
						setFault(undefined);
						if (!others.includes(test)) setTest(others[0] ?? 'is');
					}}
					options={Object.entries(groups).map(([group, dimensions]) => ({
						// Object.entries forgets that the names are those of the table.
						label: t(`filterDialog.groups.${group as keyof typeof groups}`),
						options: dimensions
							.filter(
								(name) =>
									canFilterBy(website, name) &&
									!(website.isShared && name === 'revenue') &&
									!without.includes(name),
							)
							.map((name) => ({ value: name, label: labelOf(name) })),
					}))}
				/>
				<SelectField
					label={t('filterDialog.test')}
					value={test}
					onChange={(event) => {
						setTest(possible.find((name) => name === event.target.value) ?? 'is');
						setFault(undefined);
					}}
					options={possible.map((name) => ({ value: name, label: t(`statistics.filter.tests.${name}`) }))}
				/>
			</div>
			{kind === 'property' && (
				<TextField
					label={t('filterDialog.property')}
					value={name}
					required
					maxLength={100}
					onChange={(event) => setName(event.target.value)}
				/>
			)}
			{kind === 'revenue' && (
				<TextField
					label={t('filterDialog.currency')}
					hint={t('filterDialog.currencyHint')}
					value={name}
					pattern="[A-Z]{3}"
					maxLength={3}
					autoComplete="off"
					onChange={(event) => setName(event.target.value.toUpperCase())}
				/>
			)}
			{isOfNumbers && (
				<Numbers
					isRange={test === 'between'}
					numbers={numbers}
					fault={fault}
					onChange={(changed) => {
						setNumbers(changed);
						setFault(undefined);
					}}
				/>
			)}
			{!isOfNumbers && !isSet && (
				<TextField
					label={t('filterDialog.values')}
					hint={hintOf(test)}
					fault={fault}
					value={search}
					placeholder={isListed ? t('filterDialog.search') : ''}
					autoComplete="off"
					onChange={(event) => {
						setSearch(event.target.value);
						setFault(undefined);
					}}
				/>
			)}
			{!isOfNumbers && !isSet && values.length > 0 && (
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
			{canIgnoreCase && (
				<Switch label={t('filterDialog.ignoreCase')} checked={ignoresCase} onChange={setIgnoresCase} />
			)}
			{isListed && (kind !== 'property' || name !== '') && (
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
				<Button kind="primary" type="submit" disabled={!isReady} busy={isBusy}>
					{t('filterDialog.apply')}
				</Button>
			</div>
		</form>
	);
}

/** One number, or the ends of a range. */
function Numbers({
	isRange,
	numbers,
	fault,
	onChange,
}: {
	isRange: boolean;
	numbers: readonly string[];
	fault: string | undefined;
	onChange(numbers: readonly string[]): void;
}) {
	const { t } = useTranslation();
	const [first = '', second = ''] = numbers;
	const field = { inputMode: 'decimal', autoComplete: 'off', required: true } as const;
	return (
		<div className={isRange ? styles.pair : undefined}>
			<TextField
				{...field}
				label={t(isRange ? 'filterDialog.from' : 'filterDialog.number')}
				fault={fault}
				value={first}
				onChange={(event) => onChange([event.target.value, ...(isRange ? [second] : [])])}
			/>
			{isRange && (
				<TextField
					{...field}
					label={t('filterDialog.to')}
					value={second}
					onChange={(event) => onChange([first, event.target.value])}
				/>
			)}
		</div>
	);
}

/** Whether the component is still there, for work that waits. */
function useIsShown(): { readonly current: boolean } {
	const isShown = useRef(true);
	useEffect(() => {
		isShown.current = true;
		return () => {
			isShown.current = false;
		};
	}, []);
	return isShown;
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
				{t('filterDialog.suggestions')}
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
				{rows?.length === 0 && <p className={styles.quiet}>{t('filterDialog.nothingFound')}</p>}
			</div>
		</div>
	);
}
