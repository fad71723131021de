import type { Locator, Page } from 'playwright-core';

/** What is read of a table in the browser; tests know no types of the DOM. */
type Table = {
	rows: Iterable<{ parentNode: { nodeName: string }; cells: Iterable<{ textContent: string }> }>;
};

/** The rows of a table on a page by its caption, as texts: what is seen, and what is there for who listens. */
export async function readTable(within: Page | Locator, caption: string | RegExp): Promise<string[][]> {
	const table = within.getByRole('table', {
		name: caption,
		...(typeof caption === 'string' && { exact: true }),
	});
	await table.waitFor({ state: 'attached' });
	return table.evaluate(({ rows }: Table) =>
		[...rows]
			.filter(({ parentNode }) => parentNode.nodeName === 'TBODY')
			.map(({ cells }) => [...cells].map(({ textContent }) => textContent.trim())),
	);
}
