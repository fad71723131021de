import { crc32, deflateSync } from 'node:zlib';

export function pngChunk(name: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
	const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(data.length);
	sum.writeUInt32BE(crc32(body));
	return Buffer.concat([length, body, sum]);
}

/** An image of one color. `says`: the size that its header claims. `more`: chunks before the pixels; `after`: bytes behind the end. */
export function makePng({
	width = 120,
	height = 32,
	color = [127, 79, 201] as readonly [number, number, number],
	says = undefined as { width: number; height: number } | undefined,
	more = [] as readonly Buffer[],
	after = Buffer.alloc(0),
} = {}): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(says?.width ?? width, 0);
	header.writeUInt32BE(says?.height ?? height, 4);
	header.set([8, 2, 0, 0, 0], 8);
	const row = Buffer.concat([
		Buffer.from([0]),
		Buffer.concat(Array.from({ length: width }, () => Buffer.from(color))),
	]);
	return Buffer.concat([
		Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
		pngChunk('IHDR', header),
		...more,
		pngChunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
		pngChunk('IEND', Buffer.alloc(0)),
		after,
	]);
}

export function jpegSegment(marker: number, data: Buffer): Buffer {
	const length = Buffer.alloc(2);
	length.writeUInt16BE(data.length + 2);
	return Buffer.concat([Buffer.from([0xff, marker]), length, data]);
}

/** The parts of a JPEG with made-up pixels. */
export function makeJpeg({
	width = 120,
	height = 32,
	more = [] as readonly Buffer[],
	after = Buffer.alloc(0),
} = {}): Buffer {
	const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
	frame.writeUInt16BE(height, 1);
	frame.writeUInt16BE(width, 3);
	return Buffer.concat([
		Buffer.from([0xff, 0xd8]),
		jpegSegment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
		...more,
		jpegSegment(0xc0, frame),
		jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
		Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
		Buffer.from([0xff, 0xd9]),
		after,
	]);
}
