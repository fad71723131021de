import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** No part of the statistics page before somebody opens a dialog. */
const forms =
	/dashboard\/(ui\/(Dialog|Field|ZoneField|Pagination|Sparkline|Copy|use-form)|people-client|account-client|website-client|operator-client|share-links-client|passkeys\.ts|domain\.ts|account\/(ProofFields|PasskeyButton|Confirmation)|layout\/AuthLayout)/;
const isForm = (id: string) => forms.test(id);
const isShared = (id: string) => /dashboard\/(?!texts)/.test(id) && !isForm(id);

/** Small parts of the statistics page that dialogs, boards or journeys use, too. */
const panels =
	/presentation\/metrics|dashboard\/(layout\/KeyboardShortcuts|ui\/((Chart)?Tooltip|use-width|LineChart|ErrorBoundary|Attribution)|marks\/Mark\.|pages\/StatisticsPage\/(point-|FilterBar|PeriodPicker|CompareMenu|shift-period|Picker|segments\/SegmentsMenu)|stats\/(breakdowns|panel|Changed|BreakdownPanel|MoreLink|heat-color|use-|breakdown\/(compared-rows|PanelTabs|RowChange)))/;

/** The service serves the built pages as static files. In development, scripts/dev.ts serves them from the sources. */
// biome-ignore lint/style/noDefaultExport: Vite asks for it
export default defineConfig({
	root: import.meta.dirname,
	plugins: [react()],
	// That package needs inline styles, which the policy of the pages forbids.
	resolve: { alias: { 'react-style-singleton': join(import.meta.dirname, 'style-singleton.ts') } },
	logLevel: 'warn',
	// Not below node_modules, which worktrees may share.
	cacheDir: join(import.meta.dirname, '../build/vite'),
	build: {
		outDir: join(import.meta.dirname, '../dist/pages'),
		emptyOutDir: true,
		target: 'es2022',
		// Everything is a file of its own: the policy of the pages allows no data: but images.
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		rolldownOptions: {
			// What most pages share is one file: thirty small ones weigh more than all that is in them.
			output: {
				codeSplitting: {
					groups: [
						{ name: 'shared', test: isShared, minShareCount: 4, priority: 1 },
						{ name: 'forms', test: isForm },
						{ name: 'panels', test: panels, minShareCount: 2 },
					],
				},
			},
		},
	},
});
