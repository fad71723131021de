/**
 * Reads a logo and writes it again with only the parts that draw it. So a stored logo has the type and the size that its header says,
 * no text, profile or thumbnail in which something else could hide, and nothing behind its end. The pixels stay compressed: no decoder
 * runs here.
 */
import { crc32 } from 'node:zlib';

export type LogoType = 'png' | 'jpeg';
export type LogoImage = { type: LogoType; width: number; height: number; content: Buffer };

export const maxLogoBytes = 204_800;
export const maxLogoWidth = 1_024;
export const maxLogoHeight = 512;

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** What draws a still image. Color profiles are compressed and of any length, so they are left out. */
const keptChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'sRGB', 'gAMA', 'IDAT', 'IEND']);

/** The reason for a refusal is a sentence for people. */
export function readLogo(content: Buffer): LogoImage | { refusal: string } {
	if (content.length > maxLogoBytes)
		return { refusal: `The logo must not have more than ${maxLogoBytes / 1024} KB.` };
	const isPng = content.subarray(0, pngSignature.length).equals(pngSignature);
	const isJpeg = content.length > 3 && content.readUIntBE(0, 3) === 0xffd8ff;
	if (!isPng && !isJpeg) return { refusal: 'The logo must be a PNG or JPEG image.' };
	const image = isPng ? readPng(content) : readJpeg(content);
	if (!image) return { refusal: 'The logo is not a valid image.' };
	const { width, height } = image;
	if (width < 1 || height < 1 || width > maxLogoWidth || height > maxLogoHeight)
		return { refusal: `The logo must not have more than ${maxLogoWidth} × ${maxLogoHeight} pixels.` };
	return image;
}

function readPng(content: Buffer): LogoImage | undefined {
	const kept: Buffer[] = [pngSignature];
	let size: { width: number; height: number } | undefined;
	let hasData = false;
	for (let at = pngSignature.length; at + 12 <= content.length; ) {
		const length = content.readUInt32BE(at);
		const end = at + 12 + length;
		if (end > content.length) return undefined;
		const name = content.toString('latin1', at + 4, at + 8);
		if (crc32(content.subarray(at + 4, end - 4)) !== content.readUInt32BE(end - 4)) return undefined;
		// The header comes first, and once.
		if ((name === 'IHDR') !== (size === undefined)) return undefined;
		if (name === 'IHDR') {
			if (length !== 13) return undefined;
			size = { width: content.readUInt32BE(at + 8), height: content.readUInt32BE(at + 12) };
		}
		hasData ||= name === 'IDAT';
		if (keptChunks.has(name)) kept.push(content.subarray(at, end));
		if (name === 'IEND')
			return size && hasData ? { type: 'png', ...size, content: Buffer.concat(kept) } : undefined;
		at = end;
	}
	return undefined;
}

const app0 = 0xe0;
const app14 = 0xee;
const startOfScan = 0xda;
const endOfImage = 0xd9;

/** JFIF says how to draw, and Adobe's segment which colors there are. Others hold metadata, such as the place of a photo. */
const isKeptSegment = (marker: number, segment: Buffer): boolean => {
	if (marker < app0) return true;
	if (marker === app0) return segment.toString('latin1', 4, 9) === 'JFIF\0';
	return marker === app14 && segment.toString('latin1', 4, 9) === 'Adobe';
};

/** All kinds of frames; C4, C8 and CC are other segments. */
const isFrame = (marker: number): boolean =>
	marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function readJpeg(content: Buffer): LogoImage | undefined {
	const kept: Buffer[] = [content.subarray(0, 2)];
	let size: { width: number; height: number } | undefined;
	let hasScan = false;
	for (let at = 2; at + 2 <= content.length; ) {
		if (content[at] !== 0xff) return undefined;
		const marker = content[at + 1] ?? 0;
		if (marker === 0xff) {
			at += 1;
			continue;
		}
		if (marker === endOfImage) {
			kept.push(content.subarray(at, at + 2));
			return size && hasScan ? { type: 'jpeg', ...size, content: Buffer.concat(kept) } : undefined;
		}
		// Below C0 no marker belongs here, and neither does another image.
		if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8) || at + 4 > content.length) return undefined;
		const end = at + 2 + content.readUInt16BE(at + 2);
		if (end > content.length || end < at + 4) return undefined;
		const segment = content.subarray(at, end);
		if (isFrame(marker)) {
			if (size || segment.length < 9) return undefined;
			size = { width: segment.readUInt16BE(7), height: segment.readUInt16BE(5) };
		}
		if (isKeptSegment(marker, segment)) kept.push(segment);
		at = end;
		if (marker === startOfScan) {
			if (!size) return undefined;
			hasScan = true;
			const scanEnd = endOfScan(content, at);
			kept.push(content.subarray(at, scanEnd));
			at = scanEnd;
		}
	}
	return undefined;
}

/** The next marker that is not part of the compressed pixels. */
function endOfScan(content: Buffer, from: number): number {
	for (let at = from; at + 1 < content.length; at++) {
		if (content[at] !== 0xff) continue;
		const marker = content[at + 1] ?? 0;
		const isOfPixels = marker === 0 || (marker >= 0xd0 && marker <= 0xd7);
		if (!isOfPixels) return at;
	}
	return content.length;
}
