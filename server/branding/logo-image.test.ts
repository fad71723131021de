import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jpegSegment, makeJpeg, makePng, pngChunk } from '../../test/support/images.ts';
import { readLogo } from './logo-image.ts';

function read(content: Buffer) {
	const image = readLogo(content);
	assert.ok(!('refusal' in image), 'refusal' in image ? image.refusal : '');
	return image;
}
function refusalOf(content: Buffer): string {
	const image = readLogo(content);
	assert.ok('refusal' in image, 'it is accepted');
	return image.refusal;
}

test('[C-LABEL-3] a PNG and a JPEG are kept as they are', () => {
	const png = makePng({ width: 1024, height: 512 });
	assert.deepEqual(read(png), { type: 'png', width: 1024, height: 512, content: png });
	const jpeg = makeJpeg({ width: 300, height: 80 });
	assert.deepEqual(read(jpeg), { type: 'jpeg', width: 300, height: 80, content: jpeg });
});

test('[T260] only a PNG or JPEG is a logo, whatever it is called', () => {
	for (const text of [
		'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
		'<!doctype html><script>alert(1)</script>',
		'GIF89a<script>alert(1)</script>',
		'\x89PNG<script>alert(1)</script>',
		'RIFF\0\0\0\0WEBPVP8 ',
		'',
	])
		assert.match(refusalOf(Buffer.from(text, 'latin1')), /PNG or JPEG/);
});

test('[T260] texts, profiles and whatever follows the image are not stored', () => {
	const script = Buffer.from('<script>alert(1)</script>');
	const png = makePng();
	const hidden = makePng({
		more: [
			pngChunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), script])),
			pngChunk('iCCP', script),
			pngChunk('eXIf', script),
		],
		after: script,
	});
	assert.ok(hidden.includes(script));
	assert.deepEqual(read(hidden).content, png);
	const jpeg = makeJpeg();
	const photo = makeJpeg({
		more: [
			jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), script])),
			jpegSegment(0xe2, script),
			jpegSegment(0xfe, script),
			jpegSegment(0xee, script),
		],
		after: Buffer.concat([script, jpeg]),
	});
	assert.deepEqual(read(photo).content, jpeg);
});

test('[T260] an image that is too large or claims to be is refused', () => {
	for (const size of [
		{ width: 1025, height: 10 },
		{ width: 10, height: 513 },
		{ width: 0x7fffffff, height: 0x7fffffff },
		{ width: 0, height: 10 },
	]) {
		assert.match(refusalOf(makePng({ width: 1, height: 1, says: size })), /1024 × 512/);
		if (size.width <= 65_535) assert.match(refusalOf(makeJpeg(size)), /1024 × 512/);
	}
	assert.match(refusalOf(makePng({ after: Buffer.alloc(204_800) })), /200 KB/);
});

test('[T260] a second header, a broken sum and an image that ends early are refused', () => {
	const png = makePng();
	const jpeg = makeJpeg();
	const header = png.subarray(8, 33);
	const changed = Buffer.from(png);
	changed[20] = 99;
	for (const content of [
		makePng({ more: [header] }),
		makeJpeg({ more: [jpeg.subarray(jpeg.indexOf(Buffer.from([0xff, 0xc0])), -2)] }),
		changed,
		Buffer.concat([png.subarray(0, 8), png.subarray(33)]),
		Buffer.concat([png.subarray(0, 33), png.subarray(-12)]),
		...Array.from({ length: png.length - 8 }, (_, cut) => png.subarray(0, 8 + cut)),
		...Array.from({ length: jpeg.length - 4 }, (_, cut) => jpeg.subarray(0, 4 + cut)),
	])
		assert.match(refusalOf(content), /not a valid image/);
});
