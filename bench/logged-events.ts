import type { LoggedEvent } from '../server/event-log/event-log.ts';
import { blankEvent } from '../server/ingest/event.ts';

/** Events as the collector would log them: every column filled as it usually is. */
export function makeLoggedEvents(
	count: number,
	options: { websiteId: number; first: number; date: string },
): LoggedEvent[] {
	return Array.from({ length: count }, (_, index) => {
		const n = options.first + index;
		const eventId = String((BigInt(n) * 11_400_714_819_323_198_485n) % 18_446_744_073_709_551_557n);
		const visitorId = String(
			((BigInt(n % 20_000) + 1n) * 9_223_372_036_854_775_783n) % 18_446_744_073_709_551_557n,
		);
		const second = String(n % 60).padStart(2, '0');
		const event = {
			...blankEvent,
			website_id: options.websiteId,
			date: options.date,
			visitor_id: visitorId,
			time: `${options.date} 09:00:${second}.000`,
			event_id: eventId,
			hostname: 'example.com',
			path: `/page/${n % 500}`,
			title: 'A page with a title',
			referrer: 'https://www.google.com/',
			source: 'Google',
			channel: 'Organic Search',
			country: 'DE',
			language: 'de',
			browser: 'Chrome',
			browser_version: String(100 + (n % 40)),
			os: 'Windows',
			os_version: '10 or 11',
			device: 'desktop',
			screen: 'lg',
		};
		return {
			websiteId: options.websiteId,
			date: options.date,
			visitorId,
			eventId,
			isPageview: true,
			mayRepeat: false,
			line: JSON.stringify(event),
		};
	});
}
