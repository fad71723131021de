/** What a user of the other generator gets; compiled in strict mode and not run. */
import { createClient } from './sdk/client/index.ts';
import * as sdk from './sdk/sdk.gen.ts';
import type { Filter, MetricValues, WebsiteSettings } from './sdk/types.gen.ts';

export async function readStatistics(baseUrl: string, key: string): Promise<(number | undefined)[]> {
	const client = createClient({ baseUrl, auth: key });
	const filters: Filter = ['is', 'country', ['DE']];
	const { data } = await sdk.getStats({
		client,
		path: { id: 1 },
		query: { from: '2026-11-01', to: '2026-11-30', filters: JSON.stringify(filters), metrics: ['revenue'] },
	});
	// An object, and not a text: a table is asked for in another way.
	const totals: MetricValues | undefined = data?.data.totals;
	const settings = await sdk.updateSettings({
		client,
		path: { id: 1 },
		body: { honour_signals: true, labels: ['a'] },
	});
	const signals: WebsiteSettings['honour_signals'] | undefined = settings.data?.data.honour_signals;
	await sdk.createWebsite({ client, body: { domain: 'example.com', exclude_params: ['ref'] } });
	return [totals?.revenue?.EUR, signals];
}
