import type { ComponentProps } from 'react';
import { SelectField } from './Field.tsx';

/** The zones that this browser knows, by name. UTC is one that browsers leave out. */
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** A time zone out of all of them. One that this browser does not know stays as it is. */
export function ZoneField({
	value,
	...rest
}: Omit<ComponentProps<typeof SelectField>, 'options'> & { value: string }) {
	const all = zones.includes(value) ? zones : [value, ...zones];
	return (
		<SelectField
			{...rest}
			value={value}
			options={all.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
		/>
	);
}
