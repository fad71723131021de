import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { addressOf, type Live, statistics } from '../../api-client.ts';
import { checkConnection, useConnectionLostAt } from '../../connection.ts';
import { queries } from '../../queries.ts';
import { manage } from '../../website-client.ts';

/** How updates arrive: a stream, or polling where streaming fails. */
export type Way = 'stream' | 'polling';

const pollEveryMs = 5_000;
const tryAgainAfterMs = 2_000;
const maxFailures = 2;

const liveKey = (id: number) => ['live', id] as const;

/**
 * The picture of now as it changes. A stream is held while the page is in sight and no longer: a browser has few
 * connections to a host, and the service few for a website.
 */
export function useLive(id: number) {
	const [way, setWay] = useState<Way>('stream');
	const isLost = useConnectionLostAt() !== undefined;
	// A stream that broke with the connection is tried again with it; one that a proxy refuses is not.
	useEffect(() => {
		if (isLost) return () => setWay('stream');
		return undefined;
	}, [isLost]);
	useEffect(() => {
		if (way === 'polling') return undefined;
		return watch(id, () => setWay('polling'));
	}, [id, way]);
	const query = useQuery({
		queryKey: liveKey(id),
		queryFn: () => statistics.live(id),
		staleTime: Number.POSITIVE_INFINITY,
		refetchInterval: way === 'polling' ? pollEveryMs : false,
		refetchOnWindowFocus: way === 'polling',
	});
	return { live: query.data, error: query.error, way, tryAgain: () => void query.refetch() };
}

/** Recent events and current pages, read again with every picture. Only for members. */
export function useLiveFeed(id: number, { isOn, asOf }: { isOn: boolean; asOf: string }) {
	const queryKey = ['live', id, 'feed'] as const;
	const query = useQuery({
		queryKey,
		queryFn: () => manage.liveFeed(id),
		enabled: isOn,
		staleTime: Number.POSITIVE_INFINITY,
	});
	const { refetch } = query;
	const first = useRef(asOf);
	useEffect(() => {
		if (isOn && asOf !== first.current) void refetch({ cancelRefetch: false });
	}, [isOn, asOf, refetch]);
	return query;
}

/** Writes stream messages to the cache until the stream ends or fails twice without a message. */
function watch(id: number, onGivenUp: () => void): () => void {
	let source: EventSource | undefined;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let failures = 0;

	function open() {
		source = new EventSource(addressOf(`/websites/${id}/live/stream`));
		source.onmessage = ({ data }: MessageEvent<string>) => {
			failures = 0;
			queries.setQueryData<Live>(liveKey(id), JSON.parse(data));
		};
		source.onerror = () => {
			failures++;
			void checkConnection();
			if (failures >= maxFailures) {
				end();
				onGivenUp();
				return;
			}
			// The browser reconnects broken streams, but not refused ones.
			if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, tryAgainAfterMs);
		};
	}

	function close() {
		clearTimeout(timer);
		source?.close();
		source = undefined;
	}

	function followSight() {
		close();
		if (!document.hidden) open();
	}

	function end() {
		close();
		document.removeEventListener('visibilitychange', followSight);
	}

	document.addEventListener('visibilitychange', followSight);
	followSight();
	return end;
}
