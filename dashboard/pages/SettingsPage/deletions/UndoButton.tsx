import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { deletions } from '../../../deletions-client.ts';
import { queries } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { useForm } from '../../../ui/use-form.ts';

/** Undoes a deletion. Its state is read again even after a refusal, because the events may be deleted by now. */
export function UndoButton(props: {
	website: number;
	id: number;
	/** The element that says what is undone. */
	describedBy: string;
}) {
	const { t } = useTranslation();
	const button = useRef<HTMLButtonElement>(null);
	const form = useForm({}, async () => {
		const row = button.current?.closest('li');
		try {
			await deletions.undo(props.website, props.id);
		} finally {
			await queries.invalidateQueries();
			focusIfLost(row);
		}
	});
	return (
		<>
			<Button
				ref={button}
				kind="quiet"
				busy={form.isBusy}
				aria-describedby={props.describedBy}
				onClick={() => void form.submit()}
			>
				{t('deletions.undo')}
			</Button>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
		</>
	);
}

/** Keeps the focus in the list when the button is gone. */
function focusIfLost(row: HTMLElement | null | undefined): void {
	// Once it is rendered.
	setTimeout(() => {
		if (!row || document.activeElement !== document.body) return;
		row.tabIndex = -1;
		row.focus();
	});
}
