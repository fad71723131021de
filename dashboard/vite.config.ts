import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The pages are files that the service gives out; nothing of them is made at run time. */
// biome-ignore lint/style/noDefaultExport: Vite asks for it
export default defineConfig({
	root: import.meta.dirname,
	plugins: [react()],
	logLevel: 'warn',
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
				codeSplitting: { groups: [{ name: 'shared', test: /dashboard\/(?!texts)/, minShareCount: 4 }] },
			},
		},
	},
	server: { proxy: { '/app/api': 'http://127.0.0.1:8000', '/api': 'http://127.0.0.1:8000' } },
});
