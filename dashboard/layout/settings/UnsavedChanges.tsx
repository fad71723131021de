import {
	createContext,
	type FormEvent,
	type ReactNode,
	type RefObject,
	useCallback,
	useContext,
	useEffect,
	useId,
	useMemo,
	useRef,
	useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import styles from './SettingsLayout.module.css';

type ChangedForm = {
	title: string;
	/** Set where saving deletes data. */
	dangerLabel: string | undefined;
	/** Whether the browser accepts its fields. Otherwise the browser says why. */
	isValid(): boolean;
	submit(): Promise<boolean>;
	reset(): void;
};

type Changes = {
	/** Returns a function that removes the form from the bar. */
	add(id: string, form: ChangedForm): () => void;
	save(): Promise<void>;
};

const noChanges: Changes = { add: () => () => undefined, save: async () => undefined };
const ChangesContext = createContext(noChanges);

/** Lists a form in the bar while it is changed. Returns the attributes of its element: submitting it saves all changed forms. */
export function useUnsavedForm(
	form: { isChanged: boolean; submit(): Promise<boolean>; reset(): void },
	title: string,
	dangerLabel?: string,
): { ref: RefObject<HTMLFormElement | null>; onSubmit(event: FormEvent): void } {
	const id = useId();
	const { add, save } = useContext(ChangesContext);
	const element = useRef<HTMLFormElement>(null);
	const latest = useRef(form);
	useEffect(() => {
		latest.current = form;
	});
	const { isChanged } = form;
	useEffect(() => {
		if (!isChanged) return;
		return add(id, {
			title,
			dangerLabel,
			isValid: () => element.current?.reportValidity() ?? true,
			submit: () => latest.current.submit(),
			reset: () => latest.current.reset(),
		});
	}, [add, id, isChanged, title, dangerLabel]);
	return {
		ref: element,
		onSubmit(event) {
			event.preventDefault();
			void save();
		},
	};
}

/** The settings of a page save together: a bar appears as soon as one has changed. */
export function UnsavedChanges({ children }: { children: ReactNode }) {
	const [forms, setForms] = useState<ReadonlyMap<string, ChangedForm>>(new Map());
	const [isBusy, setBusy] = useState(false);
	const [isSaved, setSaved] = useState(false);
	const isSaving = useRef(false);
	const page = useRef<HTMLDivElement>(null);
	const latest = useRef(forms);
	useEffect(() => {
		latest.current = forms;
	});
	const add = useCallback((id: string, form: ChangedForm) => {
		setForms((before) => new Map(before).set(id, form));
		setSaved(false);
		return () => setForms((before) => new Map([...before].filter(([other]) => other !== id)));
	}, []);
	const save = useCallback(async () => {
		if (latest.current.size === 0 || isSaving.current) return;
		isSaving.current = true;
		setBusy(true);
		setSaved(false);
		let areSaved = true;
		// One after the other: two of them may write the same record. None is saved after the page was left.
		for (const form of latest.current.values())
			if (page.current) areSaved = form.isValid() && (await form.submit()) && areSaved;
		isSaving.current = false;
		setBusy(false);
		setSaved(areSaved);
		// The field is invalid once it is rendered as such.
		if (!areSaved) setTimeout(() => showFault(page.current));
	}, []);
	useEffect(() => {
		if (!isSaved) return;
		const timer = setTimeout(() => setSaved(false), 4000);
		return () => clearTimeout(timer);
	}, [isSaved]);
	const changes = useMemo<Changes>(() => ({ add, save }), [add, save]);
	return (
		<ChangesContext value={changes}>
			<div ref={page}>{children}</div>
			<Bar forms={[...forms.values()]} isBusy={isBusy} isSaved={isSaved} onSave={save} />
		</ChangesContext>
	);
}

/** Focuses the first invalid field, or scrolls to the error of a section. */
function showFault(page: HTMLElement | null): void {
	const field = page?.querySelector<HTMLElement>('[aria-invalid], input:invalid');
	if (field) field.focus();
	else page?.querySelector('[role=alert]')?.scrollIntoView({ block: 'center' });
}

function Bar(props: {
	forms: readonly ChangedForm[];
	isBusy: boolean;
	isSaved: boolean;
	onSave(): Promise<void>;
}) {
	const { t, i18n } = useTranslation();
	const titles = new Intl.ListFormat(i18n.language).format(props.forms.map(({ title }) => title));
	const danger = props.forms.find(({ dangerLabel }) => dangerLabel)?.dangerLabel;
	const isShown = props.forms.length > 0;
	const status = useRef<HTMLParagraphElement>(null);
	const buttons = useRef<HTMLDivElement>(null);
	/** The buttons go away, and the focus would go with them. */
	const keepFocus = () => {
		if (buttons.current?.contains(document.activeElement)) status.current?.focus();
	};
	return (
		<div className={styles.bar} data-shown={isShown || props.isSaved || undefined}>
			<p ref={status} className={styles.status} role="status" tabIndex={-1}>
				{isShown ? (
					<>
						<b>{t('settings.unsaved.title')}</b> <span>{titles}</span>
					</>
				) : (
					props.isSaved && t('common.saved')
				)}
			</p>
			{isShown && (
				<div ref={buttons} className={styles.actions}>
					<Button
						kind="quiet"
						disabled={props.isBusy}
						onClick={() => {
							keepFocus();
							for (const form of props.forms) form.reset();
						}}
					>
						{t('settings.unsaved.discard')}
					</Button>
					<Button
						kind={danger ? 'danger' : 'primary'}
						busy={props.isBusy}
						onClick={() => {
							keepFocus();
							void props.onSave();
						}}
					>
						{danger ?? t('settings.unsaved.save')}
					</Button>
				</div>
			)}
			{isShown && <LeaveGuard titles={titles} />}
		</div>
	);
}

/** Asks before a link or a closed window throws changes away. */
function LeaveGuard({ titles }: { titles: string }) {
	const { t } = useTranslation();
	const [, navigate] = useLocation();
	const [target, setTarget] = useState<string>();
	useEffect(() => {
		const onClick = (event: MouseEvent) => {
			if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
			const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
			if (!(link instanceof HTMLAnchorElement) || link.target === '_blank' || link.origin !== location.origin)
				return;
			const isHere = link.pathname === location.pathname && link.search === location.search;
			if (link.hasAttribute('download') || (isHere && link.hash !== '')) return;
			// Before the router sees it.
			event.preventDefault();
			event.stopPropagation();
			if (!isHere) setTarget(link.pathname + link.search + link.hash);
		};
		const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
		document.addEventListener('click', onClick, true);
		addEventListener('beforeunload', onUnload);
		return () => {
			document.removeEventListener('click', onClick, true);
			removeEventListener('beforeunload', onUnload);
		};
	}, []);
	return (
		<Dialog
			isOpen={target !== undefined}
			title={t('settings.unsaved.leaveTitle')}
			text={t('settings.unsaved.leaveText', { titles })}
			closeLabel={t('common.close')}
			onClose={() => setTarget(undefined)}
		>
			<div className={styles.actions}>
				<Button
					kind="danger"
					onClick={() => {
						setTarget(undefined);
						navigate(target ?? '');
					}}
				>
					{t('settings.unsaved.leave')}
				</Button>
				<Button kind="quiet" onClick={() => setTarget(undefined)}>
					{t('common.cancel')}
				</Button>
			</div>
		</Dialog>
	);
}
