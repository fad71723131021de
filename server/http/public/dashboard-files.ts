import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../accounts/authorize.ts';
import type { Log } from '../../lib/log.ts';
import { findId } from '../api/route.ts';
import type { ShareLinks } from '../auth/share-links.ts';
import type { Shares } from '../auth/shares.ts';

const statisticsPath = '/websites/:id';
const linkPath = '/s/:token';

/** The paths of pages. All serve the same file, which renders by path (dashboard/routes.tsx). */
export const pagePaths = [
	'/',
	'/sign-in',
	'/sign-up',
	'/set-up',
	'/password',
	'/forgotten',
	'/join',
	'/confirm-address',
	'/websites',
	'/websites/new',
	statisticsPath,
	'/websites/:id/install',
	'/websites/:id/journeys',
	'/websites/:id/live',
	'/websites/:id/reports',
	'/websites/:id/settings',
	'/websites/:id/settings/:tab',
	'/account',
	'/account/:tab',
	'/doctor',
	'/operator',
	'/operator/:tab',
	'/boards',
	'/boards/:id',
	linkPath,
];

const types: Record<string, string> = {
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.svg': 'image/svg+xml',
	'.json': 'application/json',
	'.woff2': 'font/woff2',
};

/** Compressed on first use, because compressing all files would slow down the start. */
type Asset = { type: string; plain: Buffer; gzipped?: Buffer };

export type SendPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** The built dashboard, read once into memory. Returns what sends the page for a path that does not exist. */
export function mountDashboardFiles(
	app: FastifyInstance,
	options: {
		folder: string;
		baseUrl(): string;
		shares: Pick<Shares, 'isIndexable' | 'embedOrigins'>;
		links: Pick<ShareLinks, 'embedOrigins'>;
		/** Whether pages must name the source of places or network operators. */
		needsAttribution(): boolean;
		log: Pick<Log, 'error'>;
	},
): SendPage {
	const { shares, links, log } = options;
	const assets = readAssets(join(options.folder, 'assets'));
	app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
		const asset = assets.get(request.params.name);
		if (!asset) throw notFound();
		// The file name contains a hash of the content.
		reply.headers({
			'cache-control': 'public, max-age=31536000, immutable',
			'cross-origin-resource-policy': 'same-origin',
		});
		return send(request, reply, asset);
	});
	const built = readAsset(join(options.folder, 'index.html'));
	const file = built ?? { type: '', plain: Buffer.from(notBuiltPage) };
	const pages = { plain: toPage(file), attributed: toPage(withAttribution(file)) };
	let isReported = false;
	const sendPage = (
		request: FastifyRequest,
		reply: FastifyReply,
		about: { isListed: boolean; frameOrigins: readonly string[]; hasToken?: boolean },
	) => {
		if (!built) {
			if (!isReported)
				log.error({ folder: options.folder }, 'dashboard is not built; run `npm run build` and restart');
			isReported = true;
			reply.code(503);
		}
		const page = options.needsAttribution() ? pages.attributed : pages.plain;
		reply.headers({
			'content-security-policy': `${page.policy}; frame-ancestors ${about.frameOrigins.join(' ') || "'none'"}`,
			'cache-control': 'no-cache',
			// Browsers ignore it without TLS and log a warning.
			...(options.baseUrl().startsWith('https:') && { 'cross-origin-opener-policy': 'same-origin' }),
			...(!about.isListed && { 'x-robots-tag': 'noindex' }),
			// Most tokens are in the fragment, which is never sent, but other sites should not learn page URLs either. The URL of a share
			// link must not even be sent to this service again, where a proxy could log it.
			'referrer-policy': about.hasToken ? 'no-referrer' : 'same-origin',
		});
		return send(request, reply, page);
	};
	for (const path of pagePaths)
		app.get(path, async (request, reply) => {
			// Fastify types parameters by route; ours are texts.
			const { id, token = '' } = request.params as Record<string, string>;
			const website = path === statisticsPath ? findId(id) : undefined;
			const isListed = website !== undefined && (await shares.isIndexable(website));
			// Only the embedded view may be framed: it shows public statistics only.
			const { embed } = request.query as Record<string, unknown>;
			if (path === linkPath) {
				const frameOrigins = embed === '1' ? await links.embedOrigins(token) : [];
				return sendPage(request, reply, { isListed, frameOrigins, hasToken: true });
			}
			const frameOrigins = website !== undefined && embed === '1' ? await shares.embedOrigins(website) : [];
			return sendPage(request, reply, { isListed, frameOrigins });
		});
	return (request, reply) => sendPage(request, reply.code(404), { isListed: false, frameOrigins: [] });
}

/** A browser opens a path that is not one of the API. Programs get a problem as JSON. */
export function isPageNavigation(request: FastifyRequest): boolean {
	return (
		['GET', 'HEAD'].includes(request.method) &&
		/\btext\/html\b/i.test(request.headers.accept ?? '') &&
		!/^\/(app\/)?api(\/|\?|$)/.test(request.url)
	);
}

function send(request: FastifyRequest, reply: FastifyReply, asset: Asset) {
	reply.type(asset.type).header('vary', 'Accept-Encoding');
	const isGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
	if (!isGzip) return reply.send(asset.plain);
	asset.gzipped ??= gzipSync(asset.plain, { level: 9 });
	return reply.header('content-encoding', 'gzip').send(asset.gzipped);
}

/** For a checkout that nobody has built; the package has the pages. */
const notBuiltPage = `<!doctype html>
<html lang="en">
	<head><meta charset="utf-8" /><title>Tidemark</title></head>
	<body>
		<h1>The dashboard is not built</h1>
		<p>Run <code>npm run build</code> in the folder of Tidemark, then restart the service.</p>
		<p>To work on Tidemark, run <code>npm run dev</code> instead: it needs no build.</p>
	</body>
</html>
`;

/** Read by dashboard/ui/Attribution.tsx. */
const withAttribution = (asset: Asset): Asset => ({
	...asset,
	plain: Buffer.from(
		asset.plain.toString().replace('<title>', '<meta name="places" content="db-ip" /><title>'),
	),
});

function toPage(asset: Asset): Asset & { policy: string } {
	const inline = [...asset.plain.toString().matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
		([, code = '']) => `'sha256-${hash('sha256', code, 'base64')}'`,
	);
	return { ...asset, type: 'text/html; charset=utf-8', policy: pagePolicy({ scripts: inline }) };
}

/**
 * The Content-Security-Policy of pages. React sets styles of elements through the CSSOM, which needs no 'unsafe-inline'.
 * scripts/dev.ts loosens the policy for hot reload.
 */
export function pagePolicy(options: {
	scripts: readonly string[];
	development?: { socket: string };
}): string {
	const { scripts, development } = options;
	return [
		"default-src 'none'",
		["script-src 'self'", ...scripts].join(' '),
		...(development ? [] : ["require-trusted-types-for 'script'", "trusted-types 'none'"]),
		development ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
		"img-src 'self' data:",
		development ? `connect-src 'self' ${development.socket}` : "connect-src 'self'",
		"font-src 'self'",
		"base-uri 'none'",
		"form-action 'self'",
	].join('; ');
}

function readAssets(folder: string): Map<string, Asset> {
	try {
		return new Map(
			readdirSync(folder).flatMap((name) => {
				const asset = readAsset(join(folder, name));
				return asset ? [[name, asset]] : [];
			}),
		);
	} catch {
		return new Map();
	}
}

function readAsset(file: string): Asset | undefined {
	try {
		return { type: types[extname(file)] ?? 'application/octet-stream', plain: readFileSync(file) };
	} catch {
		return undefined;
	}
}
