import type { Event } from '../../server/ingest/event.ts';

/**
 * Visits as a person would count them, one event after another: the measure for the SELECT of derive/visits.ts. It was
 * written from the sentences that define a visit, and shares nothing with the SELECT.
 */
export type Visit = Record<string, unknown>;

const gapMs = 30 * 60_000;

export function findVisits(events: readonly Event[]): Visit[] {
	const days = new Map<string, Event[]>();
	for (const event of events) {
		if (event.visitor_id === '0') continue;
		const key = `${event.website_id} ${event.date} ${event.visitor_id}`;
		days.set(key, [...(days.get(key) ?? []), event]);
	}
	return sortVisits([...days.values()].flatMap(visitsOfDay));
}

/** In an order that both sides can be brought into. */
export function sortVisits(visits: readonly Visit[]): Visit[] {
	const keyOf = (visit: Visit) =>
		`${String(visit.website_id).padStart(10, '0')} ${visit.date} ${String(visit.visitor_id).padStart(20, '0')} ${visit.start}`;
	return visits.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** All events of one visitor on one date of one website. */
function visitsOfDay(day: readonly Event[]): Visit[] {
	const active = day
		.filter(({ kind }) => kind === 'pageview' || kind === 'custom')
		.toSorted((a, b) => at(a) - at(b) || (BigInt(a.event_id) < BigInt(b.event_id) ? -1 : 1));
	const runs: Event[][] = [];
	for (const event of active) {
		const run = runs.at(-1);
		const last = run?.at(-1);
		if (run && last && at(event) - at(last) < gapMs) run.push(event);
		else runs.push([event]);
	}
	const quiet = day.filter(({ kind }) => kind === 'engagement' || kind === 'vital');
	return runs.map((run) => ({ ...toVisit(run, quiet), is_only: runs.length === 1 ? 1 : 0 }));
}

function toVisit(run: readonly Event[], quiet: readonly Event[]): Visit {
	const views = run.filter(({ kind }) => kind === 'pageview');
	const entry = views[0] ?? run[0];
	const exit = views.at(-1) ?? run.at(-1);
	const first = run[0];
	const last = run.at(-1);
	if (!first || !last || !entry || !exit) throw new Error('A visit without events.');
	const attached = run.map((event) =>
		event.kind === 'pageview' && event.event_id !== '0'
			? quiet.filter(({ page_event_id }) => page_event_id === event.event_id)
			: [],
	);
	const engaged = attached.map((those) => those.reduce((sum, { engaged_ms }) => sum + engaged_ms, 0));
	const scrolls = attached.map((those) => Math.max(0, ...those.map(({ scroll }) => scroll)));
	return {
		website_id: first.website_id,
		date: first.date,
		visitor_id: first.visitor_id,
		start: first.time,
		seconds: Math.floor((at(last) - at(first)) / 1000),
		views: views.length,
		events: run.length - views.length,
		is_bounce:
			views.length === 1 && run.length === 1 && engaged.reduce((sum, ms) => sum + ms, 0) < 10_000 ? 1 : 0,
		engaged_ms: String(engaged.reduce((sum, ms) => sum + ms, 0)),
		engaged_views: engaged.filter((ms) => ms > 0).length,
		scroll: scrolls.reduce((sum, percent) => sum + percent, 0),
		scroll_views: scrolls.filter((percent) => percent > 0).length,
		entry_path: entry.path,
		entry_hostname: entry.hostname,
		exit_path: exit.path,
		exit_hostname: exit.hostname,
		offsets: run.map((event) => at(event) - at(first)),
		kinds: run.map(({ kind }) => kind),
		names: run.map(({ name }) => name),
		paths: run.map(({ path }) => path),
		routes: run.map(({ route }) => route),
		hostnames: run.map(({ hostname }) => hostname),
		engaged: engaged.map(String),
		titles: run.map(({ title }) => title),
		properties: run.map(({ properties }) => properties),
		scrolls,
		revenues: run.map(({ revenue }) => revenue),
		currencies: run.map(({ currency }) => currency),
		referrer: entry.referrer,
		source: entry.source,
		channel: entry.channel,
		utm_source: entry.utm_source,
		utm_medium: entry.utm_medium,
		utm_campaign: entry.utm_campaign,
		utm_term: entry.utm_term,
		utm_content: entry.utm_content,
		click_id: entry.click_id,
		country: entry.country,
		region: entry.region,
		city: entry.city,
		language: entry.language,
		browser: entry.browser,
		browser_version: entry.browser_version,
		os: entry.os,
		os_version: entry.os_version,
		device: entry.device,
		screen: entry.screen,
		late: entry.late,
	};
}

const at = (event: Event) => Date.parse(`${event.time.replace(' ', 'T')}Z`);
