import 'react';

// A style may set a variable that the sheet of the component reads.
declare module 'react' {
	// biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to
	interface CSSProperties {
		[name: `--${string}`]: string | number | undefined;
	}
}
