/**
 * Generates the events of one day of the demo. The same website, date and creation date always give the same events with the
 * same ids, so a later run can tell which of them exist.
 *
 * The events are the same as the collector would have stored: pages after the first have the website itself as their referrer;
 * engagement and vitals have the time and the id of their page view and no referrer.
 */
import { blankEvent, type Event } from '../ingest/event.ts';
import { endOfDate, previousDate } from '../lib/local-dates.ts';
import { type Chance, chanceOf, pickerOf } from './chance.ts';
import { files, landmarks, outboundLinks, type Page, pageAt, pages, queries } from './pages.ts';
import { type Device, devices, places } from './people.ts';
import { isOutage, type StoryDay, type Stream, storyDay, streams, visitsOf, weightOf } from './story.ts';

export type DemoWebsite = {
	id: number;
	domain: string;
	/** The local date on which it was created. The story is relative to it. */
	madeOn: string;
};

/** The events of a day, ordered by time. */
export function makeDay(website: DemoWebsite, date: string, zone: string): Event[] {
	const day = storyDay(date, website.madeOn);
	const chance = chanceOf(`${website.domain} ${website.madeOn} ${date}`);
	const hours = slotsOf(zone, date);
	const events: Event[] = [];
	for (const stream of streams) {
		// Random variation between days.
		const count = Math.round(visitsOf(stream, day) * (0.94 + 0.12 * chance.next()));
		if (count === 0) continue;
		const pickSlot = pickerOf(hours, ({ hour }) => weightOf(stream, day, hour));
		const pickArrival = pickerOf(stream.arrivals, ([, share]) => share);
		for (let nth = 0; nth < count; nth++) {
			const start = pickSlot(chance).start + chance.whole(slotMs);
			const visitor = { website, date, chance, ...someone(chance) };
			const [arrival] = pickArrival(chance);
			const visit = makeVisit(visitor, start, { stream, first: entryOf(stream, chance), arrival });
			for (const event of visit) events.push(event);
			if (chance.isTrue(0.05)) {
				const later = start + (40 + chance.whole(300)) * 60_000;
				const again = makeVisit(visitor, later, { stream, first: pageAt('/'), arrival: nowhere });
				for (const event of again) events.push(event);
			}
		}
	}
	return events
		.filter((event) => isMeasured(timeOf(event), hours, day))
		.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}

/** The approximate number of visits of a day, for the progress bar. */
export const expectedVisits = (website: DemoWebsite, date: string): number =>
	Math.round(streams.reduce((sum, stream) => sum + visitsOf(stream, storyDay(date, website.madeOn)), 0));

const timeOf = (event: Event): number => Date.parse(`${event.time.replace(' ', 'T')}Z`);
const timeText = (time: number): string => new Date(time).toISOString().replace('T', ' ').slice(0, -1);

/** A quarter of an hour. Time zones change only between slots, so each slot has one local hour. */
type Slot = { start: number; hour: number };

const slotMs = 15 * 60_000;

function slotsOf(zone: string, date: string): Slot[] {
	const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' });
	const slots: Slot[] = [];
	const end = endOfDate(zone, date);
	for (let start = endOfDate(zone, previousDate(date)); start < end; start += slotMs)
		slots.push({ start, hour: Number(format.format(start)) });
	return slots;
}

/** Whether an event is within its day and not during the outage. */
function isMeasured(time: number, slots: readonly Slot[], day: StoryDay): boolean {
	const first = slots[0]?.start ?? 0;
	const slot = slots[Math.floor((time - first) / slotMs)];
	return time >= first && slot !== undefined && !isOutage(day, slot.hour);
}

const pickPlace = pickerOf(places, ({ share }) => share);
const pickDevice = pickerOf(devices, ({ share }) => share);
const pickEntry = {
	search: pickerOf(pages, ({ entry }) => entry.search),
	link: pickerOf(pages, ({ entry }) => entry.link),
};

type Visitor = ReturnType<typeof someone> & { website: DemoWebsite; date: string; chance: Chance };

function someone(chance: Chance) {
	const place = pickPlace(chance);
	const [language] = pickerOf(place.languages, ([, share]) => share)(chance);
	const { share: _, languages: _all, currency, ...where } = place;
	return { id: chance.id(), device: pickDevice(chance), language, currency, where };
}

function entryOf({ lands }: Stream, chance: Chance): Page {
	return typeof lands === 'string' ? pickEntry[lands](chance) : pageAt(lands.path);
}

const nowhere = { source: '', channel: 'Direct', referrer: '' };
type Origin = Partial<Event> & typeof nowhere;

/** Visitors mostly continue in the section that they came to. */
const pickNext = new Map(
	pages.map((from) => [
		from.path,
		pickerOf(
			pages.filter((to) => to !== from),
			(to) => to.next * (to.section === from.section ? 3 : 1),
		),
	]),
);

/** Shorter than the pause that starts a new visit. */
const longestPauseMs = 24 * 60_000;
const mostViews = 25;

function makeVisit(
	visitor: Visitor,
	start: number,
	begin: { stream: Stream; first: Page; arrival: Origin },
): Event[] {
	const { chance } = visitor;
	const events: Event[] = [];
	let time = start;
	let page = begin.first;
	let origin: Origin = begin.arrival;
	for (let nth = 1; nth <= mostViews; nth++) {
		const view = makeView(visitor, page, time, origin);
		const readMs = Math.min(chance.skewed(page.seconds * 1_000, 0.8), longestPauseMs);
		const done = customEvents(visitor, page, view, readMs);
		events.push(view, ...done, ...measurements(visitor, page, view, readMs));
		if (done.some(({ name }) => name === 'signup')) {
			origin = internal(visitor, page);
			page = pageAt(landmarks.welcome);
		} else {
			if (chance.isTrue(1 - (1 - page.leave) * Math.min(begin.stream.interest, 1.4))) break;
			origin = internal(visitor, page);
			page = pickNext.get(page.path)?.(chance) ?? page;
		}
		time += Math.round(readMs + 400 + chance.whole(3_000));
	}
	return events;
}

const internal = ({ website }: Visitor, page: Page): Origin => ({
	source: 'internal',
	channel: 'Internal',
	referrer: page.path === '/' ? website.domain : website.domain + page.path,
});

function common({ website, date, id, where, language, device, chance }: Visitor): Event {
	const { share: _, slowness: _slow, measuresShifts: _shifts, ...what } = device;
	return {
		...blankEvent,
		website_id: website.id,
		date,
		visitor_id: id,
		event_id: chance.id(),
		hostname: website.domain,
		...where,
		language,
		...what,
	};
}

function makeView(visitor: Visitor, page: Page, time: number, origin: Origin): Event {
	const hasQuery = page.section === 'product' && visitor.chance.isTrue(0.15);
	return {
		...common(visitor),
		time: timeText(time),
		path: page.path,
		query: hasQuery ? pickOne(queries, visitor.chance) : '',
		title: page.title,
		...origin,
	};
}

/** The custom events of a page view, with its referrer and title. */
function customEvents(visitor: Visitor, page: Page, view: Event, readMs: number): Event[] {
	const { chance } = visitor;
	const happened: Partial<Event>[] = [];
	if (page.section === 'gone') happened.push({ name: '404' });
	if (page.section === 'blog' && chance.isTrue(0.07))
		happened.push({ name: 'outbound', properties: { url: pickOne(outboundLinks, chance) } });
	if (page.path === landmarks.download && chance.isTrue(0.5))
		happened.push({
			name: 'download',
			properties: { url: `https://${visitor.website.domain}/files/${pickOne(files, chance)}` },
		});
	if (page.path === landmarks.contact && chance.isTrue(0.25))
		happened.push({ name: 'form', properties: { id: 'contact' } });
	if (page.path === '/' && chance.isTrue(0.02))
		happened.push({ name: 'form', properties: { id: 'newsletter' } });
	if (page.path === landmarks.signup && chance.isTrue(0.4)) happened.push(...signUp(visitor));
	return happened.map((event, nth) => ({
		...view,
		...event,
		kind: 'custom',
		event_id: chance.id(),
		// A missing page reports its 404 immediately.
		time: timeText(timeOf(view) + (event.name === '404' ? 3 : Math.round(readMs * 0.7) + nth * 900)),
	}));
}

const plans = [
	{ name: 'free', share: 60, EUR: '', USD: '' },
	{ name: 'monthly', share: 26, EUR: '4.9', USD: '5.9' },
	{ name: 'yearly', share: 12, EUR: '39', USD: '45' },
	{ name: 'club', share: 2, EUR: '240', USD: '260' },
] as const;
const pickPlan = pickerOf(plans, ({ share }) => share);

function signUp({ chance, currency }: Visitor): Partial<Event>[] {
	const plan = pickPlan(chance);
	const signup = { name: 'signup', properties: { plan: plan.name } };
	const revenue = plan[currency];
	return revenue === ''
		? [signup]
		: [signup, { name: 'purchase', properties: { plan: plan.name }, revenue, currency }];
}

const pickOne = <T>(values: readonly T[], chance: Chance): T => values[chance.whole(values.length)] as T;

/** Engagement of most page views and web vitals of some, with the id of their page view. */
function measurements(visitor: Visitor, page: Page, view: Event, readMs: number): Event[] {
	const { chance, device } = visitor;
	const belonging = (kind: 'engagement' | 'vital'): Event => ({
		...common(visitor),
		// The tracker sends neither title nor screen with them. Their time is that of the view plus network latency.
		screen: '',
		kind,
		name: kind,
		path: view.path,
		query: view.query,
		time: timeText(timeOf(view) + chance.whole(80)),
		...campaignOf(view),
		page_event_id: view.event_id,
	});
	const events: Event[] = [];
	if (chance.isTrue(0.82)) {
		events.push({
			...belonging('engagement'),
			engaged_ms: Math.round(readMs * (0.55 + 0.4 * chance.next())),
			scroll: Math.min(
				100,
				20 + Math.round(((readMs / 1_000 / page.seconds) * 45 + chance.whole(40)) / 5) * 5,
			),
		});
	}
	if (chance.isTrue(0.45)) events.push({ ...belonging('vital'), ...vitalsOf(chance, device, page) });
	return events;
}

/** Engagement and vitals have the URL of the page, and so its campaign, but not its referrer. */
const campaignOf = (view: Event): Partial<Event> =>
	view.utm_source === ''
		? { channel: 'Direct' }
		: {
				source: view.source,
				channel: view.channel,
				utm_source: view.utm_source,
				utm_medium: view.utm_medium,
				utm_campaign: view.utm_campaign,
				utm_term: view.utm_term,
				utm_content: view.utm_content,
				click_id: view.click_id,
			};

function vitalsOf(chance: Chance, { slowness, measuresShifts }: Device, { paintMs }: Page) {
	return {
		lcp_ms: Math.round(chance.skewed(paintMs * slowness, 0.35)),
		inp_ms: Math.round(chance.skewed(70 * slowness, 0.6) / 8) * 8,
		cls: measuresShifts ? (chance.isTrue(0.6) ? 0 : Math.round(chance.skewed(0.03, 1) * 1e4) / 1e4) : -1,
	};
}
