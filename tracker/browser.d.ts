/** Browser features that the DOM types of TypeScript lack, and our own global. */

type Properties = Record<string, string | number | boolean>;

type Options = {
	properties?: Properties | undefined;
	revenue?: { amount: string | number; currency: string };
};

type Vitals = { lcp?: number; inp?: number; cls?: number };

type Tidemark = {
	(name: string, options?: Options | undefined): void;
	/** Calls that the page made before this script loaded. */
	q?: ArrayLike<unknown>[];
	/** The website id. Set by the script, so that a second copy does nothing. */
	w?: number;
	/** Set by tm-vitals.js: returns the vitals of a page view and resets them. */
	v?: (view: string | undefined) => Vitals | undefined;
};

// Undefined before the script runs. Only `var` declares a property of the window.
declare var tidemark: Tidemark | undefined;

// biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to
interface Document {
	readonly prerendering?: boolean;
}

// biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to
interface Navigator {
	readonly globalPrivacyControl?: boolean;
	readonly doNotTrack?: string | null;
}
