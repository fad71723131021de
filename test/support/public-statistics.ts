import { visitor } from './visitor.ts';
import { world } from './world.ts';

export type Values = {
	visitors: number | null;
	visits: number | null;
	conversions?: number | null;
	unique_conversions?: number | null;
	fewer_than?: 3;
};
type Point = Values & { time: string };
export type TableRow = Values & { value: string; other?: true };
type Totals = { totals: Values; series: Point[] };
/** Its shape is what test/api/stats.slow.test.ts is about. */
export type Page = {
	data: Totals & {
		compared: Totals | null;
		breakdowns: { dimension: string; rows: TableRow[]; total: number; fewer_than?: 3 }[];
	};
	meta: { as_of: string };
};
export type Filter = [string, ...unknown[]];

/** A service with an account, and somebody who is not signed in and sees only public statistics. */
export async function openPublicStatistics(t: { after(work: () => Promise<void>): void }) {
	const w = await world(t, { now: () => new Date('2026-11-08T12:40:00.000Z') });
	const owner = await w.account({ timezone: 'UTC' });
	const stranger = visitor(() => w.base);
	/** A share has five seconds, which a busy machine may exceed: then it asks again. */
	const anybody: typeof owner.api = async (...call) => {
		for (let n = 0; n < 30; n++) {
			const answer = await stranger(...call);
			if (answer.status !== 503) return answer;
		}
		return stranger(...call);
	};
	return { w, owner, anybody };
}
