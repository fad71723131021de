import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect, useLocation } from 'wouter';
import type { RoleName } from '../../../api/session.ts';
import { readId } from '../../../presentation/view-query.ts';
import { ApiError, type Share, statistics } from '../../api-client.ts';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { AuthLayout } from '../../layout/AuthLayout.tsx';
import { NotFound } from '../../layout/NotFound.tsx';
import { queries } from '../../queries.ts';
import { sessionKey } from '../../session.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';

/** The website as far as the viewer may know it. */
export type OpenWebsite = {
	id: number;
	domain: string;
	timezone: string;
	/** Undefined: not a member. */
	role: RoleName | undefined;
	/** Whether the server allows public statistics; known to members only. */
	arePagesPublic: boolean;
};

const askEveryMs = 20_000;

export const accessKey = (id: number) => ['access', id] as const;

/**
 * Checks access to a page of a website: members pass, others if it is public or after its password. A private website looks
 * like one that does not exist. When a request behind the gate is refused, access is checked again, so that a changed
 * visibility applies to open pages.
 */
export function ShareGate({
	id: text,
	whileAsking,
	children,
}: {
	/** Id from the URL. */
	id: string | undefined;
	/** Placeholder in the final layout. */
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
		// Access can change while the page is open.
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
	// The session has ended; only requests with a session get this answer.
	if (isRefused) return <Redirect to={`/sign-in?to=${encodeURIComponent(path)}`} replace />;
	if (isOpen) {
		const { domain, timezone, role, public_pages: arePagesPublic = true } = data;
		return children({ id, domain, timezone, role, arePagesPublic });
	}
	if (data?.access === 'password') return <Unlock id={id} />;
	return (
		<AppLayout title={t('statistics.title')}>
			{error ? <Failure error={error} onTryAgain={() => void refetch()} /> : whileAsking}
		</AppLayout>
	);
}

/** Password form. Reveals nothing about the website. */
function Unlock({ id }: { id: number }) {
	const { t } = useTranslation();
	const form = useForm({ password: '' }, async ({ password }) => {
		try {
			queries.setQueryData<Share>(accessKey(id), await statistics.unlock(id, password));
		} catch (error) {
			// The visibility has changed meanwhile.
			if (error instanceof ApiError && error.status === 404)
				await queries.invalidateQueries({ queryKey: accessKey(id) });
			else throw error;
		}
	});
	const isWrong = form.error instanceof ApiError && form.error.code === 'validation_failed';
	return (
		<AuthLayout title={t('statistics.unlock.title')} text={t('statistics.unlock.text')}>
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
		</AuthLayout>
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

/** Drops answers from before access ended, so that they are not shown later. */
function forgetAnswers(): void {
	const kept: readonly unknown[] = [sessionKey[0], accessKey(0)[0]];
	queries.removeQueries({ predicate: ({ queryKey }) => !kept.includes(queryKey[0]) });
}
