import 'react';

// Allows CSS variables in style attributes.
declare module 'react' {
	// biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to
	interface CSSProperties {
		[name: `--${string}`]: string | number | undefined;
	}
}
