/** Code of the installation guides, built from the website and the URLs of this server. */

export type Place = {
	websiteId: number;
	/** Public URL of the server, without a trailing slash. */
	address: string;
	/** Paths below it. */
	script: string;
	collect: string;
};

/** The tracker sends hits here by default. */
const usualCollect = '/tm';

const attributes = ({ websiteId, address, script, collect }: Place, more = ''): string =>
	`data-website="${websiteId}"${more}${collect === usualCollect ? '' : ` data-endpoint="${address}${collect}"`} src="${address}${script}"`;

export const snippetOf = (place: Place): string => `<script defer ${attributes(place)}></script>`;

/** With a proxy, script and endpoint are on the host of the page. */
const ownSnippet = (place: Place): string => snippetOf({ ...place, address: '' });

export const policyOf = ({ address }: Place): string => `script-src ${address}; connect-src ${address}`;

const head = (lines: string): string => `<head>\n  <!-- … -->\n${lines.replace(/^/gm, '  ')}\n</head>`;

const wordpress = (place: Place): string => `add_action('wp_head', function () {
    echo '${snippetOf(place)}' . "\\n";
});`;

const next = (
	place: Place,
): string => `export default function RootLayout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <head>
        <script defer ${attributes(place)} />
      </head>
      <body>{children}</body>
    </html>
  );
}`;

const nuxt = (place: Place): string => `export default defineNuxtConfig({
  app: {
    head: {
      script: [
        {
          defer: true,
          'data-website': '${place.websiteId}',${place.collect === usualCollect ? '' : `\n          'data-endpoint': '${place.address}${place.collect}',`}
          src: '${place.address}${place.script}',
        },
      ],
    },
  },
});`;

const tagManager = (place: Place): string => `<script>
  (function () {
    var tag = document.createElement('script');
    tag.defer = true;
    tag.dataset.website = '${place.websiteId}';${place.collect === usualCollect ? '' : `\n    tag.dataset.endpoint = '${place.address}${place.collect}';`}
    tag.src = '${place.address}${place.script}';
    document.head.appendChild(tag);
  })();
</script>`;

const consent = (place: Place): string =>
	`<script>window.tidemark=window.tidemark||function(){(tidemark.q=tidemark.q||[]).push(arguments)}</script>
<script defer ${attributes(place, ' data-auto="off"')}></script>`;

function nginx({ address, script, collect }: Place): string {
	const { host, protocol } = new URL(address);
	const to = (path: string) => `location = ${path} {
    proxy_pass ${address}${path};
    proxy_set_header Host ${host};
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header Cookie "";${protocol === 'https:' ? '\n    proxy_ssl_server_name on;' : ''}
}`;
	return `${to(script)}\n\n${to(collect)}`;
}

const caddy = ({ address, script, collect }: Place): string => `@tidemark path ${script} ${collect}
reverse_proxy @tidemark ${address} {
    header_up Host {upstream_hostport}
    header_up -Cookie
}`;

const worker = ({ address }: Place): string => `export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set('X-Forwarded-For', request.headers.get('CF-Connecting-IP') ?? '');
    headers.delete('Cookie');
    const body = request.method === 'POST' ? await request.text() : undefined;
    return fetch('${address}' + pathname, { method: request.method, headers, body });
  },
};`;

export const guideNames = [
	'html',
	'wordpress',
	'react',
	'vue',
	'shopify',
	'ghost',
	'gtm',
	'consent',
	'nginx',
	'caddy',
	'cloudflare',
] as const;

export type GuideName = (typeof guideNames)[number];

/** Code blocks of a guide, in the order of its sentences. */
export const codesOf: Record<GuideName, (place: Place) => readonly string[]> = {
	html: (place) => [head(snippetOf(place))],
	wordpress: (place) => [wordpress(place)],
	react: (place) => [next(place), snippetOf(place)],
	vue: (place) => [nuxt(place), snippetOf(place)],
	shopify: (place) => [snippetOf(place)],
	ghost: (place) => [snippetOf(place)],
	gtm: (place) => [tagManager(place)],
	consent: (place) => [consent(place), "tidemark('start');"],
	nginx: (place) => [nginx(place), ownSnippet(place)],
	caddy: (place) => [caddy(place), ownSnippet(place)],
	cloudflare: (place) => [worker(place), ownSnippet(place)],
};
