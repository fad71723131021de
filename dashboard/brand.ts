import { createContext, useContext } from 'react';
import type { Branding } from '../api/branding.ts';
import { useSession } from './session.tsx';

/** The brand of a page of somebody's websites; null: the page has none. Undefined: that of the account that the person works in. */
export const PageBrand = createContext<Branding | null | undefined>(undefined);

export function useBrand(): Branding | null | undefined {
	const ofPage = useContext(PageBrand);
	const ofAccount = useSession()?.brand;
	return ofPage === undefined ? ofAccount : ofPage;
}
