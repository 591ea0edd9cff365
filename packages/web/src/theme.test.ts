import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'theme.css'), 'utf8');
const states = ['done', 'ready', 'active', 'warn', 'orphan', 'fail', 'blocked', 'indet', 'handed'] as const;
const surfaces = ['bg', 'surface', 'raised', 'hover'] as const;

type Colour = readonly [red: number, green: number, blue: number];

function coloursOf(theme: 'dark' | 'light'): Record<string, Colour> {
  const block = (theme === 'dark' ? /:root \{([^}]*)\}/ : /\[data-theme="light"\] \{([^}]*)\}/).exec(css)?.[1] ?? '';
  const found = [...block.matchAll(/--([\w-]+): #([0-9a-f]{6});/g)];
  return Object.fromEntries(found.map(([, name = '', hex = '']) => [name, colourOf(hex)]));
}

const colourOf = (hex: string): Colour => {
  const at = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16) / 255;
  return [at(0), at(2), at(4)];
};

const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const luminance = ([red, green, blue]: Colour): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

function contrast(a: Colour, b: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Mixes as color-mix(in srgb) does; `tint` puts 10 % of a state's colour over the surface. */
const mixed = (over: Colour, under: Colour, share: number): Colour => [
  over[0] * share + under[0] * (1 - share),
  over[1] * share + under[1] * (1 - share),
  over[2] * share + under[2] * (1 - share),
];

const named = (colours: Record<string, Colour>, name: string): Colour => {
  const colour = colours[name];
  if (!colour) throw new Error(`the theme has no ${name}`);
  return colour;
};

for (const theme of ['dark', 'light'] as const) {
  const colours = coloursOf(theme);
  const of = (name: string) => named(colours, name);
  const textOf = (state: string) => colours[`${state}-text`] ?? of(state);

  test(`in the ${theme} theme every state can be read on every surface and on its own tint`, () => {
    for (const state of states) {
      for (const surface of surfaces)
        expect(contrast(textOf(state), of(surface)), `${state} on ${surface}`).toBeGreaterThanOrEqual(4.5);
      const tint = mixed(of(state), of('surface'), 0.1);
      expect(contrast(textOf(state), tint), `${state} on its tint`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(of('fg-2'), tint), `text on the tint of ${state}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  test(`in the ${theme} theme every text can be read on every surface, and a state can be told from its surface`, () => {
    for (const surface of surfaces) {
      for (const text of ['fg', 'fg-2', 'fg-3'])
        expect(contrast(of(text), of(surface)), `${text} on ${surface}`).toBeGreaterThanOrEqual(4.5);
      for (const state of states)
        expect(contrast(of(state), of(surface)), `the bar of ${state} on ${surface}`).toBeGreaterThanOrEqual(3);
    }
    expect(contrast([1, 1, 1], of('primary'))).toBeGreaterThanOrEqual(4.5);
  });

  test(`in the ${theme} theme edges of a graph and frames of fields can be told from every surface`, () => {
    for (const surface of surfaces)
      expect(contrast(of('edge'), of(surface)), `an edge on ${surface}`).toBeGreaterThanOrEqual(3);
  });

  test(`in the ${theme} theme passed and failed parts of a bar differ in luminance, and each from the ground of the bar`, () => {
    expect(contrast(of('done'), of('fail'))).toBeGreaterThanOrEqual(1.5);
    for (const state of ['done', 'fail'])
      expect(contrast(of(state), of('track')), `${state} on the track`).toBeGreaterThanOrEqual(3);
  });

  test(`in the ${theme} theme a failure is red`, () => {
    const [red, green, blue] = of('fail');
    expect(red).toBeGreaterThan(0.7);
    expect(red).toBeGreaterThan(2 * Math.max(green, blue));
  });
}
