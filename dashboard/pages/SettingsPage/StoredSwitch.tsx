import { type ReactNode, useState } from 'react';
import { Switch } from '../../ui/Field.tsx';
import { useFaultText } from '../../ui/use-fault-text.ts';

/** A switch of an item in a list: saves immediately and reverts on failure. */
export function StoredSwitch({
	label,
	hint,
	isOn,
	isOpen,
	store,
}: {
	label: string;
	hint?: ReactNode;
	isOn: boolean;
	isOpen: boolean;
	store(isOn: boolean): Promise<unknown>;
}) {
	const [moving, setMoving] = useState<boolean>();
	const [error, setError] = useState<unknown>();
	const textOf = useFaultText();
	const move = async (wanted: boolean) => {
		setMoving(wanted);
		setError(undefined);
		try {
			await store(wanted);
		} catch (refusal) {
			setError(refusal);
		} finally {
			setMoving(undefined);
		}
	};
	return (
		<Switch
			label={label}
			hint={hint}
			fault={error === undefined ? undefined : textOf(error)}
			checked={moving ?? isOn}
			disabled={!isOpen}
			onChange={(wanted) => void move(wanted)}
		/>
	);
}
