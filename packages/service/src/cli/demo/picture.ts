import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [number, number, number];
type Box = { x: number; y: number; width: number; height: number; colour: Colour };

const chunk = (type: string, body: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([size, named, sum]);
};

/** A PNG of plain boxes. */
export function pngOf(width: number, height: number, boxes: readonly Box[]): Buffer {
  const rows = Buffer.alloc(height * (width * 3 + 1));
  for (const { x, y, width: wide, height: high, colour } of boxes)
    for (let row = y; row < Math.min(height, y + high); row += 1)
      for (let column = x; column < Math.min(width, x + wide); column += 1)
        rows.set(colour, row * (width * 3 + 1) + 1 + column * 3);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A screenshot of a basket page: lines of a bill, and a total in red. */
export function basketPicture(): { data: string; size: number; sha256: string } {
  const line = (y: number, wide: number, colour: Colour): Box => ({ x: 60, y, width: wide, height: 14, colour });
  const grey: Colour = [208, 213, 221];
  const png = pngOf(640, 360, [
    { x: 0, y: 0, width: 640, height: 360, colour: [249, 250, 251] },
    { x: 0, y: 0, width: 640, height: 48, colour: [38, 50, 72] },
    { x: 40, y: 80, width: 560, height: 240, colour: [255, 255, 255] },
    ...[110, 146, 182].flatMap((y) => [line(y, 300, grey), { x: 500, y, width: 70, height: 14, colour: grey }]),
    line(250, 180, [102, 112, 133]),
    { x: 470, y: 244, width: 110, height: 26, colour: [217, 45, 32] },
  ]);
  return { data: png.toString('base64'), size: png.length, sha256: createHash('sha256').update(png).digest('hex') };
}
