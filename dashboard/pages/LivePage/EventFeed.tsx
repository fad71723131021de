import { useTranslation } from 'react-i18next';
import { formatRelative } from '../../../presentation/format.ts';
import type { Goal, LiveFeed } from '../../api-client.ts';
import { useNames } from '../../stats/use-names.ts';
import styles from './LivePage.module.css';

const maxLines = 8;

type FeedEvent = LiveFeed['data']['events'][number];

/** Recent events, newest first. Nothing in a line says which visitor it was, or that two were the same. */
export function EventFeed({ feed, goals }: { feed: LiveFeed; goals: readonly Goal[] }) {
	const { t, i18n } = useTranslation();
	const names = useNames();
	const { events } = feed.data;
	const now = new Date(feed.meta.as_of);
	if (events.length === 0) return <p className={styles.none}>{t('live.noEvents')}</p>;
	return (
		<ol className={styles.feed} aria-label={t('live.feed')}>
			{events.slice(0, maxLines).map((event, index) => {
				const goal = goals.find((one) => isReached(one, event));
				const title = goal?.name ?? event.name ?? event.page;
				return (
					// biome-ignore lint/suspicious/noArrayIndexKey: events have no identity, on purpose
					<li key={index} data-goal={goal && true}>
						<time dateTime={event.time}>{formatRelative(event.time, now, i18n.language)}</time>
						<span>
							<b>{title}</b>
							{title !== event.page && <small>{event.page}</small>}
							{event.source !== null && (
								<small>
									{event.source === '' ? names.value('source', '') : t('live.from', { source: event.source })}
								</small>
							)}
						</span>
					</li>
				);
			})}
		</ol>
	);
}

/** Properties are not in the feed, so a goal that needs one is not marked. */
function isReached({ kind, pattern, property }: Goal, event: FeedEvent): boolean {
	if (property !== null) return false;
	const text = kind === 'page' ? (event.name === null ? event.page : undefined) : event.name;
	if (text === undefined || text === null) return false;
	const escaped = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${escaped.join('.*')}$`, 's').test(text);
}
