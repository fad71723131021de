import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { later } from '../later.ts';
import styles from './Keys.module.css';

/** Few ask for the list, so it comes when they do. */
const Dialog = later(async () => (await import('../ui/Dialog.tsx')).Dialog);

/** What a key does; without `run` it presses what says by `aria-keyshortcuts` that it is pressed by this key. */
export type Key = { key: string; says: string; shown?: string; run?: () => void };
export type KeyGroup = { title: string; keys: readonly Key[] };

/** The keys of a page, and the list of them that `?` shows. They do nothing while somebody writes or something is open. */
export function Keys({ groups }: { groups: readonly KeyGroup[] }) {
	const { t } = useTranslation();
	const [isOpen, setOpen] = useState(false);
	useEffect(() => {
		const press = (event: KeyboardEvent) => {
			// What has the focus comes first: a chart or a map may know this key.
			if (event.defaultPrevented || isBusy(event.target)) return;
			if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
			if (event.key === '?') {
				event.preventDefault();
				setOpen(true);
				return;
			}
			const key = groups.flatMap(({ keys }) => keys).find((one) => one.key === event.key);
			if (!key) return;
			event.preventDefault();
			if (key.run) key.run();
			else document.querySelector<HTMLElement>(`[aria-keyshortcuts="${key.key}"]`)?.click();
		};
		document.addEventListener('keydown', press);
		return () => document.removeEventListener('keydown', press);
	}, [groups]);
	const all = [...groups, { title: '', keys: [{ key: '?', says: t('panels.keys.help') }] }];
	return (
		<>
			<button type="button" className={styles.open} onClick={() => setOpen(true)} data-print="no">
				{t('panels.keys.open')} <kbd>?</kbd>
			</button>
			{isOpen && (
				<Suspense fallback={null}>
					<Dialog
						title={t('panels.keys.title')}
						text={t('panels.keys.text')}
						isOpen
						onClose={() => setOpen(false)}
						closeLabel={t('common.close')}
					>
						{all.map(({ title, keys }) => (
							<section key={title} className={styles.group}>
								{title !== '' && <h3>{title}</h3>}
								<dl>
									{keys.map(({ key, says, shown }) => (
										<div key={key}>
											<dt>
												<kbd>{shown ?? key}</kbd>
											</dt>
											<dd>{says}</dd>
										</div>
									))}
								</dl>
							</section>
						))}
					</Dialog>
				</Suspense>
			)}
		</>
	);
}

/** Somebody is writing, choosing, or looking at what floats above the page. */
function isBusy(target: EventTarget | null): boolean {
	if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return true;
	return (
		target instanceof HTMLElement &&
		(target.isContentEditable || target.matches('input, textarea, select, [role="slider"]'))
	);
}
