import { expect, test } from 'vitest';
import type { EventModelView } from '../../live/wire.ts';
import { filteredModel, modelWithLinks } from './filter-slices.ts';

const slice = (name: string, state: string, ...labels: string[]) => ({
  name,
  domain: 'Banking',
  chapter: null,
  evidence: { state },
  elements: labels.map((label) => ({ label })),
});
const model = {
  name: 'Wallets',
  slices: [
    slice('Open', 'verified', 'WalletOpened'),
    slice('Credit', 'failing', 'WalletCredited'),
    slice('Balances', 'noSpec', 'WalletBalance'),
    slice('Close', 'noEvidence'),
  ],
  links: [
    { fromSlice: 'Open', toSlice: 'Balances' },
    { fromSlice: 'Credit', toSlice: 'Balances' },
  ],
} as unknown as EventModelView;
const all = { text: '', open: false, focusedSlice: null };
const names = (which: Partial<typeof all> & { focusedSlice?: string | null }) =>
  filteredModel(model, { ...all, ...which }).slices.map(({ name }) => name);

test('only what is not verified, in the order of the model', () => {
  expect(names({ open: true })).toEqual(['Credit', 'Balances', 'Close']);
});

test('a word is looked for in slices, domains, chapters and everything they are made of', () => {
  expect(names({ text: 'credited' })).toEqual(['Credit']);
  expect(names({ text: 'banking' })).toHaveLength(4);
  expect(names({ text: 'nothing like it' })).toEqual([]);
});

test('around a slice stand those it is linked with, either way', () => {
  expect(names({ focusedSlice: 'Credit' })).toEqual(['Credit', 'Balances']);
  expect(names({ focusedSlice: 'Balances' })).toEqual(['Open', 'Credit', 'Balances']);
  expect(names({ focusedSlice: 'Close' })).toEqual(['Close']);
});

test('links are all drawn, those of the chosen slice, or none', () => {
  expect(modelWithLinks(model, 'all', null).links).toHaveLength(2);
  expect(modelWithLinks(model, 'chosen', 'Open').links).toEqual([{ fromSlice: 'Open', toSlice: 'Balances' }]);
  expect(modelWithLinks(model, 'none', 'Open').links).toEqual([]);
});

test('asked for everything, the model is the very same', () => {
  expect(filteredModel(model, all)).toBe(model);
});
