import type { Fault } from './faults.ts';

const image = 'server/branding/logo-image.ts';
const api = ['test/branding/branding.test.ts'];
const images = ['server/branding/logo-image.test.ts'];
const mails = ['test/branding/mails.test.ts'];
const pages = ['test/dashboard/branding.slow.test.ts'];

/** Faults of the branding of accounts. */
export const brandingFaults: readonly Fault[] = [
	{
		name: 'branding: texts in a logo are kept',
		file: image,
		line: 'if (keptChunks.has(name)) kept.push',
		instead: 'kept.push',
		tests: images,
	},
	{
		name: 'branding: the place of a photo stays in a logo',
		file: image,
		line: 'if (isKeptSegment(marker, segment)) kept.push',
		instead: 'kept.push',
		tests: images,
	},
	{
		name: 'branding: a logo may claim any size',
		file: image,
		line: 'width > maxLogoWidth || height > maxLogoHeight',
		instead: 'false',
		tests: images,
	},
	{
		name: 'branding: a browser may take a logo for a page',
		file: 'server/http/public/brand-logos.ts',
		line: "default-src 'none'; sandbox; frame-ancestors 'none'",
		instead: "default-src 'none'; frame-ancestors 'none'",
		tests: api,
	},
	{
		name: 'branding: a color may be any text',
		file: 'api/branding.ts',
		line: '.refine((value) => /^#[0-9a-f]{6}$/.test(value),',
		instead: '.refine((value) => value !== "",',
		tests: api,
	},
	{
		name: 'branding: an accent is used whether it can be read or not',
		file: 'presentation/accent.ts',
		line: 'contrast(shade, other) >= leastContrast',
		instead: 'contrast(shade, other) >= 3',
		tests: ['presentation/accent.test.ts'],
	},
	{
		name: 'branding: security notices have the name of an account',
		file: 'server/notify/mail/account-notices.ts',
		line: 'const mail = { to: to.address,',
		instead: 'const mail = { senderName: "Acme Security", to: to.address,',
		tests: mails,
	},
	{
		name: 'branding: pages that ask for a password have a brand',
		file: 'dashboard/layout/AuthLayout.tsx',
		line: '<PageBrand value={null}>',
		instead: '<PageBrand value={undefined}>',
		tests: pages,
	},
	{
		name: 'branding: a board has the brand of the first of several accounts',
		file: 'server/http/dashboard-api/share-links.ts',
		line: 'others.length === 0 &&',
		instead: 'others.length >= 0 &&',
		tests: api,
	},
	{
		name: 'branding: a website without a brand has that of the viewer',
		file: 'dashboard/pages/SharePage/ShareGate.tsx',
		line: '<PageBrand value={brand ?? null}>',
		instead: '<PageBrand value={brand}>',
		tests: pages,
	},
	{
		name: 'branding: the source of places goes with "powered by"',
		file: 'dashboard/layout/Attribution.tsx',
		line: 'if (!isRequired) return null;',
		instead: 'if (!isRequired || document.adoptedStyleSheets.length > 0) return null;',
		tests: pages,
	},
];
