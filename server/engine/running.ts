import { setTimeout as pause } from 'node:timers/promises';
import { quote } from './escape.ts';
import { Exception } from './exception.ts';
import type { User } from './rights.ts';

// chDB assigns its own query ids. The endpoint identifies statements by a number in their log_comment, keeps the list that a
// server has in system.processes, and cancels statements by that number.

export type Running = {
	readonly queryId: string;
	readonly user: User;
	readonly startedAt: number;
	/** The log_comment: the number, then the name from the client. */
	readonly comment: string;
	readonly signal: AbortSignal;
	end(): void;
	readonly gone: Promise<void>;
};

type Entry = Running & { sql: string; leave(): void };

export type RunningList = {
	/** Runs `use` under this id, which must be unique among running statements, as on a server. */
	with(
		statement: { queryId: string; user: User; sql: string; name: string },
		use: (running: Running) => Promise<void>,
	): Promise<void>;
	find(queryId: string): Running | undefined;
	all(): readonly Running[];
	/** The list as a SQL table expression. */
	asTable(): string;
};

export function createRunningList(kill: (commentPrefix: string) => Promise<void>): RunningList {
	const entries = new Map<string, Entry>();
	let count = 0;

	function enter(queryId: string, user: User, sql: string, name: string): Entry {
		count += 1;
		const number = `tidemark-${count}:`;
		const ending = new AbortController();
		const gone = Promise.withResolvers<void>();
		let isGone = false;
		// The engine may not have started the statement yet, so KILL is repeated until it has ended.
		async function killUntilGone() {
			while (!isGone) {
				await kill(number);
				await Promise.race([pause(50), gone.promise]);
			}
		}
		return {
			queryId,
			user,
			sql: sql.slice(0, 1_000),
			startedAt: performance.now(),
			comment: `${number}${name}`,
			signal: ending.signal,
			gone: gone.promise,
			end() {
				if (ending.signal.aborted) return;
				ending.abort();
				void killUntilGone();
			},
			leave() {
				isGone = true;
				gone.resolve();
			},
		};
	}

	return {
		async with({ queryId, user, sql, name }, use) {
			if (entries.has(queryId))
				throw new Exception(
					'QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING',
					`Query with id = ${queryId} is already running.`,
				);
			const entry = enter(queryId, user, sql, name);
			entries.set(queryId, entry);
			try {
				await use(entry);
			} finally {
				entries.delete(queryId);
				entry.leave();
			}
		},
		find: (queryId) => entries.get(queryId),
		all: () => [...entries.values()],
		asTable() {
			const now = performance.now();
			const rows = [...entries.values()].map(({ queryId, user, startedAt, comment, sql }) => {
				const name = comment.slice(comment.indexOf(':') + 1);
				return `(${quote(queryId)}, ${quote(user)}, ${(now - startedAt) / 1_000}, ${quote(sql)}, ${quote(name)})`;
			});
			return `values('query_id String, user String, elapsed Float64, query String, log_comment String', ${rows.join(', ')})`;
		},
	};
}
