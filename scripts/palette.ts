import { crc32, deflateSync, inflateSync } from 'node:zlib';

/**
 * Reduces a screenshot to at most 256 colours: text and flat surfaces look the same, and the file is a third of the size. Takes
 * the 8-bit RGB or RGBA files that browsers write, and no others.
 */
export function withPalette(png: Buffer): Buffer {
  const picture = pixelsOf(png);
  const { width, height, channels, rows } = picture;
  const colours = paletteOf([picture], 256);
  const nearest = nearestIn(colours);
  const packed = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * channels;
      packed[y * (width + 1) + 1 + x] = nearest(rows[at] ?? 0, rows[at + 1] ?? 0, rows[at + 2] ?? 0);
    }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(colours.flat())),
    chunk('IDAT', deflateSync(packed, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export type Colour = readonly [number, number, number];
export type Pixels = { width: number; height: number; channels: number; rows: Uint8Array };

export function pixelsOf(png: Buffer): Pixels {
  const [width, height, kind] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25]];
  if (png[24] !== 8 || (kind !== 2 && kind !== 6)) throw new Error('not an 8-bit RGB picture');
  const channels = kind === 2 ? 3 : 4;
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  return {
    width,
    height,
    channels,
    rows: unfiltered(inflateSync(Buffer.concat(parts)), width * channels, height, channels),
  };
}

/** Undoes the five filters of a PNG's lines. */
function unfiltered(raw: Buffer, stride: number, height: number, channels: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const left = x >= channels ? (out[y * stride + x - channels] ?? 0) : 0;
      const up = y > 0 ? (out[(y - 1) * stride + x] ?? 0) : 0;
      const corner = x >= channels && y > 0 ? (out[(y - 1) * stride + x - channels] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      out[y * stride + x] = (raw[y * (stride + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** Median cut: the box with the largest error is split until there are enough boxes. */
export function paletteOf(pictures: Iterable<Pixels>, size: number): Colour[] {
  const counts = new Map<number, number>();
  for (const { rows, channels } of pictures)
    for (let at = 0; at < rows.length; at += channels) {
      const key = ((rows[at] ?? 0) << 16) | ((rows[at + 1] ?? 0) << 8) | (rows[at + 2] ?? 0);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  const boxes = [boxOf([...counts])];
  while (boxes.length < size) {
    const worst = boxes.reduce((best, box, index) => (box.worth > (boxes[best]?.worth ?? 0) ? index : best), 0);
    const [box] = boxes.splice(worst, 1);
    if (!box || box.colours.length < 2) {
      if (box) boxes.push(box);
      break;
    }
    const sorted = box.colours.toSorted((a, b) => part(a[0], box.widest) - part(b[0], box.widest));
    let weight = sorted.reduce((sum, [, count]) => sum + Math.sqrt(count), 0) / 2;
    let cut = 1;
    while (cut < sorted.length - 1 && weight > 0) {
      weight -= Math.sqrt(sorted[cut - 1]?.[1] ?? 0);
      cut += 1;
    }
    boxes.push(boxOf(sorted.slice(0, cut)), boxOf(sorted.slice(cut)));
  }
  return boxes.map(({ colours }) => meanOf(colours));
}

type Counted = readonly (readonly [key: number, count: number])[];
const part = (key: number, channel: number): number => (key >> (16 - channel * 8)) & 255;

function boxOf(colours: Counted) {
  const ranges = [0, 1, 2].map((channel) => {
    let [least, most] = [255, 0];
    for (const [key] of colours) {
      least = Math.min(least, part(key, channel));
      most = Math.max(most, part(key, channel));
    }
    return most - least;
  });
  const widest = ranges.indexOf(Math.max(...ranges));
  const weight = colours.reduce((sum, [, count]) => sum + Math.sqrt(count), 0);
  return { colours, widest, worth: (ranges[widest] ?? 0) * weight };
}

/** The most common colour in a box, if there is one, because surfaces must keep their exact colour. */
function meanOf(colours: Counted): Colour {
  const total = colours.reduce((sum, [, count]) => sum + count, 0);
  const [common, most] = colours.reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0] as readonly [
    number,
    number,
  ]);
  if (most > total / 3) return [part(common, 0), part(common, 1), part(common, 2)];
  const mean = (channel: number) =>
    Math.round(colours.reduce((sum, [key, count]) => sum + part(key, channel) * count, 0) / Math.max(1, total));
  return [mean(0), mean(1), mean(2)];
}

export function nearestIn(colours: readonly Colour[]): (r: number, g: number, b: number) => number {
  const known = new Map<number, number>();
  return (r, g, b) => {
    const key = (r << 16) | (g << 8) | b;
    const found = known.get(key);
    if (found !== undefined) return found;
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    colours.forEach(([red, green, blue], index) => {
      const far = (r - red) ** 2 * 2 + (g - green) ** 2 * 4 + (b - blue) ** 2 * 3;
      if (far < least) [best, least] = [index, far];
    });
    known.set(key, best);
    return best;
  };
}

function chunk(name: string, content: Buffer): Buffer {
  const out = Buffer.alloc(content.length + 12);
  out.writeUInt32BE(content.length, 0);
  out.write(name, 4, 'latin1');
  out.set(content, 8);
  out.writeUInt32BE(crc32(out.subarray(4, content.length + 8)), content.length + 8);
  return out;
}
