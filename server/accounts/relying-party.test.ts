import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relyingPartyOf } from './relying-party.ts';

test('[C-PASSKEY-1][T151] passkeys are bound to the host name of the public address', () => {
	assert.deepEqual(relyingPartyOf('https://stats.example.com'), {
		id: 'stats.example.com',
		origin: 'https://stats.example.com',
	});
	assert.deepEqual(relyingPartyOf('https://stats.example.com:8443'), {
		id: 'stats.example.com',
		origin: 'https://stats.example.com:8443',
	});
	assert.deepEqual(relyingPartyOf('http://localhost:8090'), {
		id: 'localhost',
		origin: 'http://localhost:8090',
	});
	assert.deepEqual(relyingPartyOf('http://stats.localhost:8090'), {
		id: 'stats.localhost',
		origin: 'http://stats.localhost:8090',
	});
});

test('[C-PASSKEY-1] there are no passkeys at an IP address or without TLS', () => {
	for (const url of ['https://192.0.2.7', 'http://127.0.0.1:8090', 'https://[2001:db8::1]', 'http://[::1]:1'])
		assert.deepEqual(relyingPartyOf(url), { unavailable: 'ip_address' }, url);
	for (const url of ['http://stats.example.com', 'http://stats', 'http://localhost.example.com'])
		assert.deepEqual(relyingPartyOf(url), { unavailable: 'insecure' }, url);
});
