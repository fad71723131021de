import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../../accounts/authorize.ts';

/** The interactive API reference at `/docs/api`. It loads nothing from other hosts. */
export async function mountApiReference(app: FastifyInstance, openapi: string): Promise<void> {
	await app.register(async (page) => {
		// Files are looked up on disk by path, so only plain names are allowed: no `..` and nothing encoded.
		page.addHook('onRequest', async ({ url }) => {
			const [path = ''] = url.split('?');
			if (!/^(\/\w[\w.-]*)+\/?$/.test(path)) throw notFound();
		});
		await page.register(swagger, { mode: 'static', specification: { document: JSON.parse(openapi) } });
		await page.register(swaggerUi, {
			routePrefix: '/docs/api',
			staticCSP: policy,
			theme: {
				title: 'Tidemark API',
				css: [{ filename: 'tidemark.css', content: style }],
				favicon: [{ filename: 'mark.svg', rel: 'icon', sizes: 'any', type: 'image/svg+xml', content: logo }],
			},
			uiConfig: {
				// The other layout has a top bar, whose logo needs an inline style that the policy forbids.
				layout: 'BaseLayout',
				tryItOutEnabled: true,
				persistAuthorization: false,
				docExpansion: 'list',
				deepLinking: true,
				defaultModelsExpandDepth: 0,
				displayRequestDuration: true,
			},
		});
	});
}

/** Swagger UI writes descriptions as HTML strings, so this page cannot require Trusted Types. */
const policy =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#0a7f78" stroke-width="2" stroke-linecap="round"><path d="M2 8c3 0 3 2.4 5 2.4S10 8 12 8s3 2.4 5 2.4S20 8 22 8"/><path d="M2 15h20" opacity=".35"/></svg>`;

/** The product's colors, without the top bar of Swagger UI. */
const style = `
body { background: #f7f9f8 }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .opblock .opblock-summary-description,
.swagger-ui .btn, .swagger-ui label, .swagger-ui table thead tr th, .swagger-ui .parameter__name { font-family: ui-sans-serif, system-ui, sans-serif; color: #0f1f1e }
.swagger-ui .wrapper { max-width: 1060px }
.swagger-ui .info { margin: 40px 0 16px }
.swagger-ui .info .title small { background: #0a7f78; border-radius: 6px }
.swagger-ui .scheme-container { background: none; box-shadow: none; padding: 8px 0 }
.swagger-ui .opblock { border-radius: 10px; box-shadow: 0 0 0 1px #e2e9e7; border: 0; background: #fff }
.swagger-ui .opblock .opblock-summary { border: 0 }
.swagger-ui .opblock .opblock-summary-method { background: #0a7f78; border-radius: 7px; text-shadow: none; min-width: 76px }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b5473c }
.swagger-ui .opblock .opblock-section-header { background: none; box-shadow: none; border-bottom: 1px solid #eef3f1 }
.swagger-ui .opblock-tag { border-bottom: 1px solid #e2e9e7; font-size: 18px }
.swagger-ui .btn.authorize, .swagger-ui .btn.execute { background: #0a7f78; border-color: #0a7f78; color: #fff; border-radius: 8px }
.swagger-ui .btn.authorize svg { fill: #fff }
.swagger-ui section.models { border-color: #e2e9e7; border-radius: 10px }
`;
