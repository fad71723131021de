import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { ApiError, type SessionRecord, session, shareToken, signedOutEvent, workIn } from './api-client.ts';
import { queries } from './queries.ts';
import { chooseLanguage } from './texts/texts.ts';

/** Undefined: signed out. */
const SessionContext = createContext<SessionRecord | undefined>(undefined);

export const sessionKey = ['session'] as const;

/** The signed-in person. Pages that require one are marked in `routes.tsx`. */
export function SessionProvider(props: {
	children: ReactNode;
	whileAsking: ReactNode;
	whenFailed: (error: unknown, again: () => void) => ReactNode;
}) {
	const query = useQuery({ queryKey: sessionKey, queryFn: findSession, staleTime: 60_000 });
	const locale = query.data?.person.locale;
	useEffect(() => {
		addEventListener(signedOutEvent, onSignedOut);
		return () => removeEventListener(signedOutEvent, onSignedOut);
	}, []);
	useEffect(() => {
		if (locale) void chooseLanguage(locale);
	}, [locale]);
	if (query.data === undefined && query.error)
		return props.whenFailed(query.error, () => void query.refetch());
	if (query.data === undefined) return props.whileAsking;
	return <SessionContext value={query.data ?? undefined}>{props.children}</SessionContext>;
}

export const useSession = (): SessionRecord | undefined => useContext(SessionContext);

/** For pages that require a session. */
export function useAccount(): SessionRecord {
	const session = useSession();
	if (!session) throw new Error('This page requires a session.');
	return session;
}

/**
 * Clears cached answers after signing in or out. Returns the current session: null if the browser did not keep the cookie.
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

/** The session ended elsewhere: sign in and return. */
async function onSignedOut(): Promise<void> {
	if (!queries.getQueryData(sessionKey)) return;
	if ((await askAgain()) === null) forgetAnswers();
}

/** Null where there is no session: the cache knows no undefined. */
async function findSession(): Promise<SessionRecord | null> {
	// The page of a share link is the same for everyone.
	if (shareToken !== undefined) return null;
	try {
		const record = await session.get();
		workIn(record.account.id);
		return record;
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		if (error.status === 401) {
			workIn(undefined);
			return null;
		}
		// The tab worked in an account that the person no longer owns.
		if (error.code !== 'account_changed') throw error;
		workIn(undefined);
		return findSession();
	}
}
