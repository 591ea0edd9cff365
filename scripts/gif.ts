import { nearestIn, type Pixels, paletteOf, pixelsOf } from './palette.ts';

export type Frame = { png: Buffer; ms: number };

const colourBits = 7;
const colourCount = 2 ** colourBits;
/** Means "the same as in the previous frame". */
const same = colourCount - 1;

/** Frames of one size as a looping GIF; each frame contains only the changed part. */
export function gifOf(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  if (!first) throw new Error('a recording without a frame');
  const { width, height } = pixelsOf(first.png);
  // Every fourth frame contains nearly all colours.
  const palette = paletteOf(everyFourth(frames), same);
  const nearest = nearestIn(palette);
  const table = Buffer.alloc(colourCount * 3);
  table.set(palette.flat());
  const parts = [
    Buffer.from('GIF89a', 'latin1'),
    numbers(width, height),
    Buffer.from([0xf0 | (colourBits - 1), 0, 0]),
    table,
    Buffer.from([0x21, 0xff, 11]),
    Buffer.from('NETSCAPE2.0', 'latin1'),
    Buffer.from([3, 1, 0, 0, 0]),
  ];
  let before: Uint8Array | null = null;
  for (const { png, ms } of frames) {
    const now = indexed(pixelsOf(png), nearest);
    parts.push(...frameOf(before, now, width, height, Math.round(ms / 10)));
    before = now;
  }
  return Buffer.concat([...parts, Buffer.from([0x3b])]);
}

function* everyFourth(frames: readonly Frame[]): Iterable<Pixels> {
  for (let at = 0; at < frames.length; at += 4) yield pixelsOf(frames[at]?.png ?? Buffer.alloc(0));
}

function numbers(...values: readonly number[]): Buffer {
  const out = Buffer.alloc(values.length * 2);
  values.forEach((value, at) => void out.writeUInt16LE(value, at * 2));
  return out;
}

function indexed({ rows, channels, width, height }: Pixels, nearest: ReturnType<typeof nearestIn>): Uint8Array {
  const out = new Uint8Array(width * height);
  for (let at = 0; at < out.length; at += 1) {
    const from = at * channels;
    out[at] = nearest(rows[from] ?? 0, rows[from + 1] ?? 0, rows[from + 2] ?? 0);
  }
  return out;
}

function frameOf(before: Uint8Array | null, now: Uint8Array, width: number, height: number, hundredths: number) {
  const { left, top, right, bottom } = changedBox(before, now, width, height);
  const part = new Uint8Array((right - left) * (bottom - top));
  let at = 0;
  for (let y = top; y < bottom; y += 1)
    for (let x = left; x < right; x += 1) {
      const place = y * width + x;
      part[at] = before !== null && before[place] === now[place] ? same : (now[place] ?? 0);
      at += 1;
    }
  return [
    Buffer.from([0x21, 0xf9, 4, 0b101]),
    numbers(hundredths),
    Buffer.from([same, 0, 0x2c]),
    numbers(left, top, right - left, bottom - top),
    Buffer.from([0, colourBits]),
    inBlocks(compressed(part)),
  ];
}

/** The changed area; at least one pixel, because a frame must not be empty. */
function changedBox(before: Uint8Array | null, now: Uint8Array, width: number, height: number) {
  if (before === null) return { left: 0, top: 0, right: width, bottom: height };
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let at = 0; at < now.length; at += 1) {
    if (before[at] === now[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x + 1), Math.max(bottom, y + 1)];
  }
  return right === 0 ? { left: 0, top: 0, right: 1, bottom: 1 } : { left, top, right, bottom };
}

/** LZW for GIF: codes grow to 12 bits, then the dictionary is reset. */
function compressed(indices: Uint8Array): Buffer {
  const clear = colourCount;
  const known = new Int16Array(4096 * colourCount);
  const out: number[] = [];
  let [pending, bits, size, next] = [0, 0, colourBits + 1, clear + 2];
  const put = (code: number) => {
    pending |= code << bits;
    for (bits += size; bits >= 8; bits -= 8) {
      out.push(pending & 255);
      pending >>>= 8;
    }
  };
  put(clear);
  let prefix = indices[0] ?? 0;
  for (let at = 1; at < indices.length; at += 1) {
    const key = prefix * colourCount + (indices[at] ?? 0);
    const code = known[key] ?? 0;
    if (code !== 0) {
      prefix = code;
      continue;
    }
    put(prefix);
    prefix = indices[at] ?? 0;
    if (next < 4096) {
      known[key] = next;
      if (next === 2 ** size) size += 1;
      next += 1;
    } else {
      put(clear);
      known.fill(0);
      [size, next] = [colourBits + 1, clear + 2];
    }
  }
  put(prefix);
  put(clear + 1);
  if (bits > 0) out.push(pending & 255);
  return Buffer.from(out);
}

function inBlocks(data: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const part = data.subarray(at, at + 255);
    parts.push(Buffer.from([part.length]), part);
  }
  return Buffer.concat([...parts, Buffer.from([0])]);
}
