import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../accounts/authorize.ts';
import { findId } from './call.ts';
import type { Shares } from './shares.ts';

const statisticsPath = '/websites/:id';

/** The addresses of pages. Each is the same file, which draws what its address says (dashboard/routes.tsx). */
export const pagePaths = [
	'/',
	'/sign-in',
	'/set-up',
	'/password',
	'/forgotten',
	'/join',
	'/websites',
	'/websites/new',
	statisticsPath,
	'/websites/:id/:room',
	'/websites/:id/settings/:room',
	'/account',
	'/account/:room',
	'/doctor',
];

const types: Record<string, string> = {
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.svg': 'image/svg+xml',
	'.json': 'application/json',
	'.woff2': 'font/woff2',
};

/** Packed when it is first asked for: a start has no time for a hundred files, most of which nobody asks for. */
type Asset = { type: string; plain: Buffer; gzipped?: Buffer };

/** The pages that people see: files, read once. Nothing in them is about anybody. */
export function mountDashboard(
	app: FastifyInstance,
	options: {
		folder: string;
		baseUrl(): string;
		shares: Pick<Shares, 'isIndexable' | 'embedOrigins'>;
	},
): void {
	const { shares } = options;
	const assets = readAssets(join(options.folder, 'assets'));
	app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
		const asset = assets.get(request.params.name);
		if (!asset) throw notFound();
		// The name holds a hash of the content.
		reply.headers({
			'cache-control': 'public, max-age=31536000, immutable',
			'cross-origin-resource-policy': 'same-origin',
		});
		return send(request, reply, asset);
	});
	const page = readPage(join(options.folder, 'index.html'));
	for (const path of pagePaths)
		app.get(path, async (request, reply) => {
			if (!page) throw notFound();
			// Fastify types parameters by route; ours are texts.
			const { id } = request.params as Record<string, string>;
			const website = path === statisticsPath ? findId(id) : undefined;
			const isListed = website !== undefined && (await shares.isIndexable(website));
			// Only where it was asked for as what stands in a frame: it shows no more than the public may see.
			const { embed } = request.query as Record<string, unknown>;
			const origins = website !== undefined && embed === '1' ? await shares.embedOrigins(website) : [];
			reply.headers({
				'content-security-policy': `${page.policy}; frame-ancestors ${origins.join(' ') || "'none'"}`,
				'cache-control': 'no-cache',
				// Browsers take it over TLS alone, and complain where there is none.
				...(options.baseUrl().startsWith('https:') && { 'cross-origin-opener-policy': 'same-origin' }),
				...(!isListed && { 'x-robots-tag': 'noindex' }),
				// Tokens stand behind `#`, which is never sent; an address of a page may still be nobody else's business.
				'referrer-policy': 'same-origin',
			});
			return send(request, reply, page);
		});
}

function send(request: FastifyRequest, reply: FastifyReply, asset: Asset) {
	reply.type(asset.type).header('vary', 'Accept-Encoding');
	const isGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
	if (!isGzip) return reply.send(asset.plain);
	asset.gzipped ??= gzipSync(asset.plain, { level: 9 });
	return reply.header('content-encoding', 'gzip').send(asset.gzipped);
}

/** Built by `npm run build`; a checkout that was not built has none, and says 404. */
function readPage(file: string): (Asset & { policy: string }) | undefined {
	const asset = readAsset(file);
	if (!asset) return undefined;
	const inline = [...asset.plain.toString().matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
		([, code = '']) => `'sha256-${hash('sha256', code, 'base64')}'`,
	);
	// Styles on elements are how charts are drawn and menus placed; no text from outside becomes one.
	const policy = [
		"default-src 'none'",
		`script-src 'self' ${inline.join(' ')}`,
		"style-src 'self' 'unsafe-inline'",
		"img-src 'self' data:",
		"connect-src 'self'",
		"font-src 'self'",
		"base-uri 'none'",
		"form-action 'self'",
	].join('; ');
	return { ...asset, type: 'text/html; charset=utf-8', policy };
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
