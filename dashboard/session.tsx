import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { ApiError, type SessionRecord, session, signedOutEvent } from './api-client.ts';
import { queries } from './queries.ts';
import { chooseLanguage } from './texts/texts.ts';

/** Undefined: nobody is signed in. */
const SessionContext = createContext<SessionRecord | undefined>(undefined);

export const sessionKey = ['session'] as const;

/** Who is signed in. Every page below may ask; one that needs an account stands in `routes.tsx` as such. */
export function SessionProvider(props: {
	children: ReactNode;
	whileAsking: ReactNode;
	whenFailed: (error: unknown, again: () => void) => ReactNode;
}) {
	const asked = useQuery({ queryKey: sessionKey, queryFn: findSession, staleTime: 60_000 });
	const locale = asked.data?.account.locale;
	useEffect(() => {
		addEventListener(signedOutEvent, onSignedOut);
		return () => removeEventListener(signedOutEvent, onSignedOut);
	}, []);
	useEffect(() => {
		if (locale) void chooseLanguage(locale);
	}, [locale]);
	if (asked.data === undefined && asked.error)
		return props.whenFailed(asked.error, () => void asked.refetch());
	if (asked.data === undefined) return props.whileAsking;
	return <SessionContext value={asked.data ?? undefined}>{props.children}</SessionContext>;
}

export const useSession = (): SessionRecord | undefined => useContext(SessionContext);

/** For pages that only show when somebody is signed in. */
export function useAccount(): SessionRecord {
	const found = useSession();
	if (!found) throw new Error('A page for accounts was shown to nobody.');
	return found;
}

/**
 * After signing in or out, everything that was asked before was asked by somebody else. Gives who is signed in now: nobody
 * where the browser did not keep the cookie.
 */
export async function forgetSession(): Promise<SessionRecord | null> {
	forgetAnswers();
	return askAgain();
}

/** After a change of the account or of its second factor. */
export const askAgain = (): Promise<SessionRecord | null> =>
	queries.fetchQuery({ queryKey: sessionKey, queryFn: findSession, staleTime: 0 });

export const setSession = (record: SessionRecord): void => void queries.setQueryData(sessionKey, record);

function forgetAnswers(): void {
	queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}

/** The session was ended elsewhere: whoever is here signs in and comes back. */
async function onSignedOut(): Promise<void> {
	if (!queries.getQueryData(sessionKey)) return;
	if ((await askAgain()) === null) forgetAnswers();
}

/** Null where there is no session: the cache knows no undefined. */
async function findSession(): Promise<SessionRecord | null> {
	try {
		return await session.get();
	} catch (error) {
		if (error instanceof ApiError && error.status === 401) return null;
		throw error;
	}
}
