/** What browsers have and TypeScript's DOM library does not know, and the one global that is ours. */

type Properties = Record<string, string | number | boolean>;

type Options = {
	properties?: Properties | undefined;
	revenue?: { amount: string | number; currency: string };
};

type Vitals = { lcp?: number; inp?: number; cls?: number };

type Tidemark = {
	(name: string, options?: Options | undefined): void;
	/** Calls that the page made before this script was there. */
	q?: ArrayLike<unknown>[];
	/** Set by the script itself: the website, and the sign for a second copy that it comes too late. */
	w?: number;
	/** Set by tm-vitals.js: hands over what was measured of a page view, and begins anew. */
	v?: (view: string | undefined) => Vitals | undefined;
};

// A page can have an element with the id `tidemark`, or nothing by that name.
// Only `var` declares a member of the window.
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
