import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount, formatDate } from '../../../presentation/format.ts';
import { Confirmation } from '../../account/Confirmation.tsx';
import type { Import, ImportSource } from '../../api-client.ts';
import { queries } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Card.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import { imports } from '../../website-client.ts';
import styles from './Imports.module.css';
import type { TabProps } from './tab.ts';

/** Product names, the same in every language. */
const sources: Readonly<Record<ImportSource, string>> = {
	plausible: 'Plausible',
	umami: 'Umami',
	ga4: 'Google Analytics 4',
	matomo: 'Matomo',
	fathom: 'Fathom',
	'simple-analytics': 'Simple Analytics',
	log: 'nginx, Apache, Caddy',
};
// Object.keys forgets that the names are those of the table.
const sourceNames = Object.keys(sources) as ImportSource[];

const isUnderWay = ({ state }: Import): boolean => state === 'waiting' || state === 'running';

/** Preview of a file, import, and undo of earlier imports. */
export function Imports({ website }: TabProps) {
	const { t } = useTranslation();
	const [undone, setUndone] = useState<Import>();
	const key = ['website', website.id, 'imports'];
	const { data = [] } = useQuery({
		queryKey: key,
		queryFn: () => imports.list(website.id),
		refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? 1_000 : false),
	});
	const reload = () => queries.invalidateQueries({ queryKey: key });
	return (
		<Section title={t('imports.title')} text={t('imports.text')}>
			<FileForm website={website.id} onRead={reload} />
			{data.length > 0 && (
				<ul className={styles.list} aria-label={t('imports.list')}>
					{data.map((item) => (
						<Line
							key={item.id}
							item={item}
							website={website.id}
							onUndo={() => setUndone(item)}
							onChange={reload}
						/>
					))}
				</ul>
			)}
			{undone && (
				<Confirmation
					title={t('imports.undoTitle')}
					text={t('imports.undoText')}
					action={t('imports.undo')}
					onConfirm={async () => {
						await imports.undo(website.id, undone.id);
						setUndone(undefined);
						await queries.invalidateQueries();
					}}
					onClose={() => setUndone(undefined)}
				/>
			)}
		</Section>
	);
}

function FileForm({ website, onRead }: { website: number; onRead(): Promise<unknown> }) {
	const { t } = useTranslation();
	const [file, setFile] = useState<File>();
	const form = useForm({ source: 'plausible' as ImportSource }, async ({ source }) => {
		if (!file) return;
		await imports.look(website, source, file);
		await onRead();
	});
	return (
		<form className={styles.form} onSubmit={(event) => void form.submit(event)}>
			<SelectField
				label={t('imports.source')}
				value={form.values.source}
				options={sourceNames.map((name) => ({ value: name, label: sources[name] }))}
				onChange={({ target }) => form.set({ source: target.value as ImportSource })}
			/>
			<TextField
				label={t('imports.file')}
				type="file"
				required
				onChange={({ target }) => setFile(target.files?.[0])}
			/>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={styles.actions}>
				<Button type="submit" busy={form.isBusy} disabled={!file}>
					{t('imports.look')}
				</Button>
				<span role="status">{form.isBusy && t('imports.looking')}</span>
			</div>
		</form>
	);
}

function Line({
	item,
	website,
	onUndo,
	onChange,
}: {
	item: Import;
	website: number;
	onUndo(): void;
	onChange(): Promise<unknown>;
}) {
	const { t, i18n } = useTranslation();
	const date = (text: string | null) => (text === null ? '' : formatDate(text, i18n.language));
	const done = item.rows_total === 0 ? 0 : item.rows_done / item.rows_total;
	const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(done);
	const form = useForm({}, async () => {
		await imports.start(website, item.id);
		await onChange();
	});
	return (
		<li>
			<b>{sources[item.source]}</b> <span className={styles.name}>{item.file_name}</span>
			<span className={styles.state}>{t(`imports.states.${item.state}`, { percent })}</span>
			{isUnderWay(item) && (
				<progress value={done} max={1} aria-label={t(`imports.states.${item.state}`, { percent })} />
			)}
			<p>
				{item.days === 0
					? t('imports.nothing')
					: t('imports.days', {
							days: formatCount(item.days, i18n.language),
							from: date(item.from),
							to: date(item.to),
						})}{' '}
				{item.days > 0 && t(item.kind === 'events' ? 'imports.eventsKind' : 'imports.totalsKind')}
			</p>
			{item.fault && <Notice kind="fault">{item.fault}</Notice>}
			{item.skipped.length > 0 && (
				<details>
					<summary>{t('imports.skipped')}</summary>
					<ul>
						{item.skipped.map(({ reason, count, means }) => (
							// A reason that only a newer server knows is shown by its own name.
							<li key={reason}>
								{t(`imports.reasons.${reason as 'bad_row'}`, { defaultValue: means })}:{' '}
								{formatCount(count, i18n.language)}
							</li>
						))}
					</ul>
				</details>
			)}
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<form className={styles.actions} onSubmit={(event) => void form.submit(event)}>
				{item.state === 'previewed' && item.days > 0 && (
					<Button type="submit" kind="primary" busy={form.isBusy}>
						{t('imports.start')}
					</Button>
				)}
				<Button kind="quiet" onClick={onUndo}>
					{t(item.state === 'done' ? 'imports.undo' : 'imports.discard')}
				</Button>
			</form>
		</li>
	);
}
