import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

/** The reference at `/docs/api`, where calls can be tried. Everything it shows comes from this service. */
export async function mountApiPage(app: FastifyInstance, openapi: string): Promise<void> {
	await app.register(async (page) => {
		await page.register(swagger, { mode: 'static', specification: { document: JSON.parse(openapi) } });
		await page.register(swaggerUi, {
			routePrefix: '/docs/api',
			staticCSP: true,
			theme: { title: 'Tidemark API' },
			uiConfig: {
				tryItOutEnabled: true,
				persistAuthorization: false,
				docExpansion: 'list',
				deepLinking: true,
			},
		});
	});
}
