import { useState } from 'react';
import { ApiError } from '../api-client.ts';
import { useFaultText } from './use-fault-text.ts';

/**
 * The values of a form, and what became of sending them. What the service says of a field stands at that field; anything
 * else stands above the button.
 */
export function useForm<V extends Record<string, unknown>>(
	initial: V,
	send: (values: V) => Promise<unknown>,
	/** What is wrong before anything is sent, in the words of the language. */
	check?: (values: V) => { readonly [K in keyof V]?: string | undefined },
) {
	const [values, setValues] = useState(initial);
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
		/** Sent, and nothing was changed since. */
		isSaved,
		/** What belongs to no field that is shown. */
		fault: error === undefined || isKnown ? undefined : textOf(error),
		error,
		faultOf: (name: keyof V & string): string | undefined => checked[name] ?? fields[name]?.[0],
		set(changed: Partial<V>) {
			setValues((before) => ({ ...before, ...changed }));
			setSaved(false);
		},
		/** As it was at first, and nothing is wrong. */
		reset() {
			setValues(initial);
			setError(undefined);
			setChecked({});
			setSaved(false);
		},
		async submit(event?: { preventDefault(): void; currentTarget?: unknown }) {
			event?.preventDefault();
			if (isBusy) return;
			const form = event?.currentTarget;
			const wrong = check?.(values) ?? {};
			setChecked(wrong);
			setError(undefined);
			if (Object.values(wrong).some((text) => text !== undefined)) return showFault(form);
			setBusy(true);
			try {
				await send(values);
				setSaved(true);
			} catch (refusal) {
				setError(refusal);
				showFault(form);
			} finally {
				setBusy(false);
			}
		},
	};
}

/** The focus goes to the first field that is wrong, once it is drawn as such. */
function showFault(form: unknown): void {
	if (!(form instanceof HTMLElement)) return;
	setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus());
}
