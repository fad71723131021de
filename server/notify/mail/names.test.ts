import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameInMail } from './names.ts';

test('[T82] a name in a mail is short plain text without anything that becomes a link', () => {
	for (const [name, shown] of [
		['Ann O’Hara-Müller', '"Ann O’Hara-Müller"'],
		['J. Smith & Sons, Inc.', '"J. Smith & Sons, Inc."'],
		['山田 太郎', '"山田 太郎"'],
		['Booking.com', '"Booking com"'],
		['Verify at https://evil.example/x?y=1 now', '"Verify at https evil example x y 1 now"'],
		['mail me@evil.example', '"mail me evil example"'],
		['evil。example evil．example e\u200bvil.\u2060example', '"evil example evil example evil example"'],
		['www.evil.example.', '"www evil example."'],
		['A\r\nBcc: x\r\n\r\n<b>hi</b>\u202e', '"A Bcc x b hi b"'],
		[
			'Your mailbox is full. Call us today to keep your messages',
			'"Your mailbox is full. Call us today to…"',
		],
		['://@', '"…"'],
	] as const)
		assert.equal(nameInMail(name), shown);
	for (const name of ['a.b', 'x'.repeat(200), `${'x '.repeat(100)}a.example`]) {
		assert.doesNotMatch(nameInMail(name), /\w[.:/@]\w/);
		assert.ok([...nameInMail(name)].length <= 42);
	}
});
