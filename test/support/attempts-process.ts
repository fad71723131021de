/** A process that tries passwords: says how many attempts were let through. */
import { createAttempts } from '../../server/accounts/attempts.ts';
import { AppError } from '../../server/lib/app-error.ts';
import { createLog } from '../../server/lib/log.ts';
import { openPostgres, type PostgresTarget } from '../../server/store/postgres.ts';

export type AttemptsOrder = {
	postgres: PostgresTarget;
	now: string;
	name: string;
	free: number;
	tries: number;
};

process.once('message', async (order: AttemptsOrder) => {
	const postgres = openPostgres(order.postgres, { log: createLog('silent', () => undefined) });
	const attempts = createAttempts(postgres, () => new Date(order.now), Buffer.alloc(32, 7));
	const bucket = { name: order.name, free: order.free, maxDelaySeconds: 60 };
	const taken = await Promise.all(
		Array.from({ length: order.tries }, () =>
			attempts.take([bucket]).then(
				() => 1,
				(error: unknown) => {
					if (error instanceof AppError && error.code === 'too_many_requests') return 0;
					throw error;
				},
			),
		),
	);
	await postgres.close();
	process.send?.(
		taken.reduce<number>((sum, one) => sum + one, 0),
		() => process.exit(0),
	);
});
