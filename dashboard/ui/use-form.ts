import { useState } from 'react';
import { ApiError } from '../api-client.ts';
import { useFaultText } from './use-fault-text.ts';

/**
 * Values, submission and errors of a form. Errors of a field are shown at the field, all others above the button.
 */
export function useForm<V extends Record<string, unknown>>(
	initial: V,
	send: (values: V) => Promise<unknown>,
	/** Checks before sending; returns translated errors. */
	check?: (values: V) => { readonly [K in keyof V]?: string | undefined },
) {
	const [values, setValues] = useState(initial);
	const [stored, setStored] = useState(initial);
	const [sent, setSent] = useState<V>();
	if (!isSame(stored, initial)) {
		setStored(initial);
		// Changed here or by somebody else. What was typed since stays.
		if (isSame(values, stored) || isSame(values, sent)) setValues(initial);
	}
	const [error, setError] = useState<unknown>();
	const [isBusy, setBusy] = useState(false);
	const [isSaved, setSaved] = useState(false);
	const [checked, setChecked] = useState<{ readonly [K in keyof V]?: string | undefined }>({});
	const textOf = useFaultText();
	const fields = error instanceof ApiError ? error.fields : {};
	const isKnown = Object.keys(fields).some((name) => name in values);
	return {
		values,
		isBusy,
		/** Differs from what is stored. The server may store it in another form. */
		isChanged: !isSame(values, stored) && !(isSaved && isSame(values, sent)),
		/** Saved, and not changed since. */
		isSaved,
		/** Error that belongs to no visible field. */
		fault: error === undefined || isKnown ? undefined : textOf(error),
		error,
		faultOf: (name: keyof V & string): string | undefined => checked[name] ?? fields[name]?.[0],
		set(changed: Partial<V>) {
			setValues((before) => ({ ...before, ...changed }));
			setSaved(false);
			// Errors were about the earlier values.
			setChecked((before) => ({
				...before,
				...Object.fromEntries(Object.keys(changed).map((name) => [name, undefined])),
			}));
			if (Object.keys(fields).some((name) => name in changed)) setError(undefined);
		},
		/** Resets values and errors. */
		reset() {
			setValues(initial);
			setError(undefined);
			setChecked({});
			setSaved(false);
		},
		/** Returns whether it was sent. */
		async submit(event?: { preventDefault(): void; currentTarget?: unknown }): Promise<boolean> {
			event?.preventDefault();
			if (isBusy) return false;
			const form = event?.currentTarget;
			const wrong = check?.(values) ?? {};
			setChecked(wrong);
			setError(undefined);
			if (Object.values(wrong).some((text) => text !== undefined)) {
				showFault(form);
				return false;
			}
			setBusy(true);
			setSaved(false);
			setSent(values);
			try {
				await send(values);
				setSaved(true);
				return true;
			} catch (refusal) {
				setError(refusal);
				showFault(form);
				return false;
			} finally {
				setBusy(false);
			}
		},
	};
}

const isSame = (some: unknown, other: unknown) => JSON.stringify(some) === JSON.stringify(other);

/** Focuses the first invalid field once it is rendered as such. */
function showFault(form: unknown): void {
	if (!(form instanceof HTMLElement)) return;
	setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus());
}
