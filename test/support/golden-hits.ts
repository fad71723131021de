import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { blankEvent, type Event } from '../../server/ingest/event.ts';
import type { TrackedWebsite } from '../../server/ingest/hit.ts';
import { runSteps } from '../../server/ingest/ingest.ts';
import { parseHit } from '../../server/ingest/parse-hit.ts';
import { parseServerEvent } from '../../server/ingest/parse-server-event.ts';
import { Dropped, type Lookups } from '../../server/ingest/steps/step.ts';
import { blockListOf } from '../../server/lib/networks.ts';

/** A hit in, and what becomes of it. What an event says beyond `blankEvent` is all of it. */
export type GoldenHit = {
	about: string;
	/** What differs from an ordinary website, which is that of example.com. */
	website?: {
		domain?: string;
		hostnames?: string[];
		exclude_bots?: boolean;
		exclude_params?: string[];
		exclude_ips?: string[];
		honour_signals?: boolean;
	};
	address?: string;
	headers?: Record<string, string>;
	/** Beyond the ids, which all have. */
	body?: Record<string, unknown>;
	/** An event that a server sent with a key, instead. */
	server?: Record<string, unknown>;
	becomes?: unknown;
};

const folder = fileURLToPath(new URL('../golden/hits/', import.meta.url));

export const goldenFiles = (): { file: string; name: string; hits: GoldenHit[] }[] =>
	globSync(`${folder}*.json`)
		.sort()
		.map((file) => ({
			file,
			name: basename(file, '.json'),
			// Our own files, and a test that a hit of the wrong shape would fail.
			hits: JSON.parse(readFileSync(file, 'utf8')) as GoldenHit[],
		}));

const now = new Date('2026-11-15T09:00:00Z');

/** Places that a test can count on. */
export const fixtureGeo: Lookups['geo'] = {
	find: (address) =>
		({
			'192.0.2.1': { country: 'DE', region: 'DE-BE', city: 'Berlin' },
			'198.51.100.1': { country: 'US', region: 'US-CA', city: 'San Francisco' },
			'2001:db8::1': { country: 'JP', region: '', city: '' },
		})[address] ?? { country: '', region: '', city: '' },
};

export function trackedWebsite(settings: GoldenHit['website'] = {}): TrackedWebsite {
	return {
		id: 1,
		domain: settings.domain ?? 'example.com',
		hostnames: settings.hostnames ?? [],
		excludeBots: settings.exclude_bots ?? false,
		excludeParams: new Set(settings.exclude_params ?? []),
		excludeIps: blockListOf(settings.exclude_ips ?? []),
		honourSignals: settings.honour_signals ?? true,
		zones: [{ since: Number.NEGATIVE_INFINITY, from: '0001-01-01', zone: 'UTC' }],
		rules: undefined,
		resetAt: 0,
		hitLimit: null,
	};
}

/** The event that a hit becomes; fails where it is refused or dropped. */
export function eventOf(
	body: Record<string, unknown>,
	{ headers = {}, address = '' }: { headers?: Record<string, string>; address?: string } = {},
): Event {
	const hit = parseHit(
		{ w: 1, i: '1', u: 'https://example.com/', ...body },
		{ website: trackedWebsite(), now, headers, address },
	);
	assert.ok(!('fault' in hit), JSON.stringify(hit));
	const event = runSteps(hit, { geo: fixtureGeo });
	assert.ok(!(event instanceof Dropped), JSON.stringify(event));
	return event;
}

export function becomesOf(golden: GoldenHit): unknown {
	const website = trackedWebsite(golden.website);
	const hit = golden.server
		? parseServerEvent({ id: '1', ...golden.server }, { website, now, makeId: () => '1' })
		: parseHit(
				{ w: 1, i: '0000000000000001', ...golden.body },
				{ website, now, address: golden.address ?? '', headers: golden.headers ?? {} },
			);
	if ('fault' in hit || 'errors' in hit) return hit;
	const result = runSteps(hit, { geo: fixtureGeo });
	if (result instanceof Dropped) return { dropped: result.reason };
	const blank = Object.entries(blankEvent);
	const said = Object.entries(result).filter(
		([name, value]) => JSON.stringify(value) !== JSON.stringify(blank.find(([key]) => key === name)?.[1]),
	);
	// All events here have the same website and id, and most the same time.
	const usual = JSON.stringify({ website_id: 1, event_id: '1', time: '2026-11-15 09:00:00.000' });
	const rest = said.filter(
		([name, value]) => !usual.includes(`${JSON.stringify(name)}:${JSON.stringify(value)}`),
	);
	return JSON.parse(JSON.stringify(Object.fromEntries(rest)));
}
