/** What the framework alone can do: parse the body, answer 202. */
import Fastify from 'fastify';

const app = Fastify({ logger: false });
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
app.post('/tm', async (request, reply) => {
	JSON.parse(String(request.body));
	return reply.code(202).send();
});
process.send?.(await app.listen({ port: 0, host: '127.0.0.1' }));
