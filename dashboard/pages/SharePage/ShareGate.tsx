import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect, useLocation } from 'wouter';
import type { RoleName } from '../../../api/session.ts';
import { ApiError, type Share, statistics } from '../../api-client.ts';
import { Entrance } from '../../Entrance.tsx';
import { Frame } from '../../Frame.tsx';
import { NotFound } from '../../NotFound.tsx';
import { queries } from '../../queries.ts';
import { readId } from '../../question-state.ts';
import { sessionKey } from '../../session.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';

/** A website as far as whoever looks may know it. */
export type OpenWebsite = {
	id: number;
	domain: string;
	timezone: string;
	/** Undefined: nobody of its people, who sees what is shared. */
	role: RoleName | undefined;
	/** Whether the operator lets anything be shared; told to its people. */
	arePagesPublic: boolean;
};

const askEveryMs = 20_000;

export const accessKey = (id: number) => ['access', id] as const;

/**
 * What stands before a page of a website: its people pass, others pass where it is public or after its password. A private website
 * and one that does not exist look the same. When the service refuses anything behind the gate, the gate asks again, so that a
 * changed mode holds on a page that is open.
 */
export function ShareGate({
	id: text,
	whileAsking,
	children,
}: {
	/** As it stands in the address. */
	id: string | undefined;
	/** In the shape of what comes. */
	whileAsking?: ReactNode;
	children: (website: OpenWebsite) => ReactNode;
}) {
	const { t } = useTranslation();
	const [path] = useLocation();
	const id = readId(text);
	const { data, error, refetch } = useQuery({
		queryKey: accessKey(id ?? 0),
		queryFn: () => statistics.share(id ?? 0),
		enabled: id !== undefined,
		// Who may look can change while they do.
		refetchInterval: askEveryMs,
		refetchOnWindowFocus: 'always',
	});
	const isRefused = error instanceof ApiError && (error.status === 401 || error.status === 404);
	const isOpen = data?.access === 'open' && !isRefused;
	useEffect(() => (id === undefined ? undefined : askAgainWhenRefused(id)), [id]);
	useEffect(() => {
		if (isRefused || data?.access === 'password') forgetAnswers();
	}, [isRefused, data?.access]);

	if (id === undefined || (isRefused && error.status === 404)) return <NotFound />;
	// The session is over; nobody without one is answered so.
	if (isRefused) return <Redirect to={`/sign-in?to=${encodeURIComponent(path)}`} replace />;
	if (isOpen) {
		const { domain, timezone, role, public_pages: arePagesPublic = true } = data;
		return children({ id, domain, timezone, role, arePagesPublic });
	}
	if (data?.access === 'password') return <Unlock id={id} />;
	return (
		<Frame title={t('statistics.title')}>
			{error ? <Failure error={error} onTryAgain={() => void refetch()} /> : whileAsking}
		</Frame>
	);
}

/** Asks for the password of the statistics; it tells nothing of the website. */
function Unlock({ id }: { id: number }) {
	const { t } = useTranslation();
	const form = useForm({ password: '' }, async ({ password }) => {
		try {
			queries.setQueryData<Share>(accessKey(id), await statistics.unlock(id, password));
		} catch (error) {
			// The mode has changed meanwhile.
			if (error instanceof ApiError && error.status === 404)
				await queries.invalidateQueries({ queryKey: accessKey(id) });
			else throw error;
		}
	});
	const isWrong = form.error instanceof ApiError && form.error.code === 'validation_failed';
	return (
		<Entrance title={t('statistics.unlock.title')} text={t('statistics.unlock.text')}>
			<form onSubmit={(event) => void form.submit(event)}>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				<TextField
					label={t('statistics.unlock.password')}
					type="password"
					autoComplete="off"
					autoFocus
					required
					value={form.values.password}
					fault={isWrong ? t('statistics.unlock.wrong') : undefined}
					onChange={(event) => form.set({ password: event.target.value })}
				/>
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('statistics.unlock.open')}
				</Button>
			</form>
		</Entrance>
	);
}

function askAgainWhenRefused(id: number): () => void {
	const key = accessKey(id);
	return queries.getQueryCache().subscribe((event) => {
		if (event.type !== 'updated' || event.action.type !== 'error') return;
		const { error } = event.action;
		const isAccess = event.query.queryKey[0] === key[0];
		if (isAccess || !(error instanceof ApiError)) return;
		if (error.status === 401 || error.status === 403 || error.status === 404)
			void queries.invalidateQueries({ queryKey: key });
	});
}

/** What was answered before the gate closed is not shown when it opens again. */
function forgetAnswers(): void {
	const kept: readonly unknown[] = [sessionKey[0], accessKey(0)[0]];
	queries.removeQueries({ predicate: ({ queryKey }) => !kept.includes(queryKey[0]) });
}
