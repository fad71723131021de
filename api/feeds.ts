/** What the dashboard says and hears of the feed of a website; it is not for programs. */
export type FeedRecord = { created_at: string };
/** The address is shown this once. */
export type ShownFeed = FeedRecord & { url: string };
