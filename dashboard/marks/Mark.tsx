import { type ComponentType, lazy, Suspense } from 'react';
import styles from './Mark.module.css';

/** Dimensions whose values have a mark before their name. Pages have none. */
const marked = new Set([
	'country',
	'region',
	'city',
	'browser',
	'os',
	'source',
	'referrer',
	'utm_source',
	'utm_medium',
	'utm_campaign',
	'utm_term',
	'utm_content',
	'channel',
	'device',
	'event',
]);

export type MarkProps = {
	dimension: string;
	value: string;
	/** Country of a city or a region, where its value does not tell it. */
	country?: string | undefined;
};

/** Not part of the first load. If the file cannot be loaded, rows have no marks. */
const MarkImage = lazy<ComponentType<MarkProps>>(async () => {
	try {
		return { default: (await import('./MarkImage.tsx')).MarkImage };
	} catch {
		return { default: () => null };
	}
});

/** A flag, a brand mark, a glyph or a letter before a name. The name says the same, so it is hidden from screen readers. */
export function Mark(props: MarkProps) {
	if (!marked.has(props.dimension)) return null;
	return (
		<span className={styles.mark} aria-hidden="true">
			<Suspense fallback={null}>
				<MarkImage {...props} />
			</Suspense>
		</span>
	);
}
