import type { Locator, Page } from 'playwright-core';

/** The rows of a table on a page by its caption, as texts: what is seen, and what is there for who listens. */
export async function readTable(within: Page | Locator, caption: string | RegExp): Promise<string[][]> {
	const table = within.getByRole('table', {
		name: caption,
		...(typeof caption === 'string' && { exact: true }),
	});
	await table.waitFor({ state: 'attached' });
	return table.evaluate<string[][], undefined>(
		'(table) => [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim()))',
	);
}
