import { crc32, deflateRawSync } from 'node:zlib';

export type ZipEntry = {
	name: string;
	text: string | Buffer;
	/** What the archive says of its size, where that is a lie. */
	claimed?: number;
};

/** A ZIP archive as simple as the format allows, with whatever names and sizes a test wants in it. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
	const locals: Buffer[] = [];
	const central: Buffer[] = [];
	let at = 0;
	for (const { name, text, claimed } of entries) {
		const bytes = Buffer.from(text);
		const packed = deflateRawSync(bytes);
		const fields = Buffer.alloc(26);
		fields.writeUInt16LE(20, 0);
		fields.writeUInt16LE(0x0800, 2);
		fields.writeUInt16LE(8, 4);
		fields.writeUInt32LE(crc32(bytes), 10);
		fields.writeUInt32LE(packed.length, 14);
		fields.writeUInt32LE(claimed ?? bytes.length, 18);
		fields.writeUInt16LE(Buffer.byteLength(name), 22);
		const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), packed]);
		const tail = Buffer.alloc(14);
		tail.writeUInt32LE(at, 10);
		central.push(
			Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), fields, tail, Buffer.from(name)]),
		);
		locals.push(local);
		at += local.length;
	}
	const list = Buffer.concat(central);
	const end = Buffer.alloc(18);
	end.writeUInt16LE(entries.length, 4);
	end.writeUInt16LE(entries.length, 6);
	end.writeUInt32LE(list.length, 8);
	end.writeUInt32LE(at, 12);
	return Buffer.concat([...locals, list, Buffer.from('PK\u0005\u0006'), end]);
}
