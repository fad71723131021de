import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPage } from '../lazy-page.ts';
import styles from './KeyboardShortcuts.module.css';

/** Loaded on demand, because few open the list. */
const Dialog = lazyPage(async () => (await import('../ui/Dialog.tsx')).Dialog);

/** Action of a key; without `run` it clicks the element whose `aria-keyshortcuts` names the key. */
export type Key = { key: string; says: string; shown?: string; run?: () => void };
export type KeyGroup = { title: string; keys: readonly Key[] };

/** Keyboard shortcuts of a page and their list, opened by `?`. Inactive while typing or while a dialog is open. */
export function KeyboardShortcuts({ groups }: { groups: readonly KeyGroup[] }) {
	const { t } = useTranslation();
	const [isOpen, setOpen] = useState(false);
	useEffect(() => {
		const press = (event: KeyboardEvent) => {
			// The focused element comes first: a chart or map may handle the key itself.
			if (event.defaultPrevented || isBusy(event.target)) return;
			if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
			if (event.key === '?') {
				event.preventDefault();
				setOpen(true);
				return;
			}
			const key = groups.flatMap(({ keys }) => keys).find((shortcut) => shortcut.key === event.key);
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

/** A field, menu or dialog has the focus. */
function isBusy(target: EventTarget | null): boolean {
	if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return true;
	return (
		target instanceof HTMLElement &&
		(target.isContentEditable || target.matches('input, textarea, select, [role="slider"]'))
	);
}
