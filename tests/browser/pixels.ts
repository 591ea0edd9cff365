import type { BrowserContext } from 'playwright-core';

type Colour = readonly [red: number, green: number, blue: number];

/** The relative luminance of WCAG. */
function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: Colour, other: Colour): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

export type Picture = ReturnType<typeof pictureOf>;

/** The content of a screenshot, and the colour that is most common at its edge. */
function pictureOf(width: number, height: number, bytes: Uint8Array) {
  const at = (x: number, y: number): Colour => {
    const start = 4 * (y * width + x);
    return [bytes[start] ?? 0, bytes[start + 1] ?? 0, bytes[start + 2] ?? 0];
  };
  const columns = Array.from({ length: width }, (_, x) => x);
  const rows = Array.from({ length: height }, (_, y) => y);
  const rim = [
    ...columns.flatMap((x) => [at(x, 0), at(x, height - 1)]),
    ...rows.flatMap((y) => [at(0, y), at(width - 1, y)]),
  ];
  const ground = [...Map.groupBy(rim, String).values()].sort((a, b) => b.length - a.length)[0]?.[0] ?? at(0, 0);
  const all = rows.flatMap((y) => columns.map((x) => at(x, y)));
  const highest = (colours: readonly Colour[]) => Math.max(...colours.map((colour) => contrastOf(colour, ground)));
  /** The frame at this distance inside the picture, without its corners. */
  const frame = (inset: number) => [
    ...columns.slice(inset + 8, width - inset - 8).flatMap((x) => [at(x, inset), at(x, height - 1 - inset)]),
    ...rows.slice(inset + 8, height - inset - 8).flatMap((y) => [at(inset, y), at(width - 1 - inset, y)]),
  ];
  /** A dashed line counts as a line, and a letter next to it does not. */
  const mostOf = (colours: readonly Colour[]) =>
    colours.map((colour) => contrastOf(colour, ground)).sort((a, b) => a - b)[Math.floor(colours.length * 0.75)] ?? 0;
  return {
    /** The frame of an element with this margin around it; half a pixel may be on either side of its edge. */
    border: (margin: number) => Math.max(...[margin - 1, margin, margin + 1].map((inset) => mostOf(frame(inset)))),
    /** The pixels around an element with this margin. */
    outside: (margin: number) => Math.max(...Array.from({ length: margin }, (_, inset) => mostOf(frame(inset)))),
    mark: () => highest(all),
    /** Where something is drawn, in any colour: two equal shapes give the same result. */
    shape: (): string => all.map((colour) => (contrastOf(colour, ground) >= 1.6 ? '#' : '.')).join(''),
    /** The contrast between two parts that are selected by their colours. */
    between: (one: (colour: Colour) => boolean, other: (colour: Colour) => boolean): number => {
      const most = (isMeant: (colour: Colour) => boolean): Colour =>
        [...Map.groupBy(all.filter(isMeant), String).values()].sort((a, b) => b.length - a.length)[0]?.[0] ?? [0, 0, 0];
      return contrastOf(most(one), most(other));
    },
    strongest: (isMeant: (colour: Colour) => boolean) => highest(all.filter(isMeant)),
  };
}

/**
 * Runs in the page that decodes: returns the size of a picture, and its bytes as text, because a list of a million
 * numbers would take seconds.
 */
const decode = `async (address) => {
  const picture = await createImageBitmap(await (await fetch(address)).blob());
  const { width, height } = picture;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context.drawImage(picture, 0, 0);
  const reader = new FileReader();
  reader.readAsDataURL(new Blob([context.getImageData(0, 0, width, height).data]));
  await new Promise((read) => reader.addEventListener('load', read));
  return { width, height, bytes: reader.result.slice(reader.result.indexOf(',') + 1) };
}`;

/** Reads screenshots with the decoder of the browser that took them. */
export async function createPixelReader(context: BrowserContext) {
  const page = await context.newPage();
  await page.goto('about:blank');
  return {
    async read(png: Buffer) {
      const address = `data:image/png;base64,${png.toString('base64')}`;
      const read: { width: number; height: number; bytes: string } = await page.evaluate(`(${decode})("${address}")`);
      return pictureOf(read.width, read.height, Buffer.from(read.bytes, 'base64'));
    },
  };
}
