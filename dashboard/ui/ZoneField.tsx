import { type ComponentProps, useId } from 'react';
import { TextField } from './Field.tsx';

/** Time zones known to this browser. Browsers leave out UTC. */
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/**
 * A time zone: some letters of its name are enough to find it among the four hundred there are. Browsers know some by an
 * older name, so any that the service knows may be written.
 */
export function ZoneField(props: ComponentProps<typeof TextField> & { value: string }) {
	const list = useId();
	return (
		<>
			<TextField
				autoComplete="off"
				autoCapitalize="none"
				spellCheck={false}
				{...props}
				list={list}
				// Typing replaces the selected value.
				onFocus={(event) => event.target.select()}
			/>
			<datalist id={list}>
				{zones.map((zone) => (
					<option key={zone} value={zone} />
				))}
			</datalist>
		</>
	);
}
