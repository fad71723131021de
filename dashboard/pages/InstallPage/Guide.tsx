import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Copy } from '../../ui/Copy.tsx';
import { codesOf, type GuideName, type Place } from './guides.ts';
import styles from './InstallPage.module.css';

/** Sentences of each guide, and the code block below each. */
const sentences = {
	html: [['html.one', 'html.what']],
	wordpress: [['wordpress.one', 'wordpress.what']],
	react: [
		['react.one', 'react.what'],
		['react.two', 'html.what'],
	],
	vue: [
		['vue.one', 'vue.what'],
		['vue.two', 'html.what'],
	],
	shopify: [['shopify.one', 'shopify.what']],
	ghost: [['ghost.one', 'ghost.what']],
	gtm: [['gtm.one', 'gtm.what'], ['gtm.two']],
	consent: [['consent.one', 'consent.what'], ['consent.two', 'consent.start'], ['consent.three']],
	nginx: [['nginx.one', 'nginx.what'], ['nginx.two', 'nginx.line'], ['nginx.three']],
	caddy: [['caddy.one', 'caddy.what'], ['caddy.two', 'caddy.line'], ['caddy.three']],
	cloudflare: [
		['cloudflare.one', 'cloudflare.what'],
		['cloudflare.two', 'cloudflare.line'],
		['cloudflare.three'],
	],
} as const satisfies Record<GuideName, readonly (readonly [string, string?])[]>;

export function Guide({ name, place, domain }: { name: GuideName; place: Place; domain: string }) {
	const { t } = useTranslation();
	const codes = codesOf[name](place);
	return (
		<div className={styles.guide}>
			{sentences[name].map(([sentence, what], index) => (
				<Fragment key={sentence}>
					<p>
						{t(`websites.install.guide.${sentence}`, {
							domain,
							script: place.script,
							collect: place.collect,
						})}
					</p>
					{what !== undefined && (
						<Copy
							text={codes[index] ?? ''}
							label={t('websites.install.code', { what: t(`websites.install.guide.${what}`) })}
						/>
					)}
				</Fragment>
			))}
		</div>
	);
}
