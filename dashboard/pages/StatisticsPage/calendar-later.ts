import { lazy } from 'react';

/** The calendar weighs as much as a page and is opened by few: it comes when it is. */
export const Calendar = lazy(async () => ({ default: (await import('./Calendar.tsx')).Calendar }));
