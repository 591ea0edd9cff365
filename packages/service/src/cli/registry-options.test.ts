import { Command } from 'commander';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { memberOption, readMembers } from './registry-options.ts';
import { strayWords } from './start-command.ts';

const input = {
  plan: z.string(),
  title: z.string().nullish(),
  estimateMinutes: z.number().nullish(),
  labels: z.array(z.string()).nullish(),
  binding: z.object({ kind: z.string() }).nullable(),
  document: z.union([z.object({}), z.string()]).optional(),
  mode: z.enum(['full', 'seed']).optional(),
};

function given(...words: string[]): Record<string, unknown> {
  const word = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  for (const [member, schema] of Object.entries(input)) word.addOption(memberOption(member, schema));
  word.parse(['--plan', 'p', '--binding', '{"kind":"commit"}', ...words], { from: 'user' });
  return readMembers(word.opts());
}

test('null clears a nullable member, and is an ordinary name for any other', () => {
  expect(given('--title', 'null', '--estimate-minutes', 'null', '--labels', 'null')).toMatchObject({
    title: null,
    estimateMinutes: null,
    labels: null,
  });
  expect(given('--binding', 'null', '--plan', 'null')).toMatchObject({ binding: null, plan: 'null' });
});

test('a list is passed by repeating its option', () => {
  expect(given('--labels', 'a', '--labels', 'b')).toMatchObject({ labels: ['a', 'b'] });
});

test('a member that may be text accepts invalid JSON as text; any other rejects it', () => {
  expect(given('--document', 'nodes: [{ id: a }]')).toMatchObject({ document: 'nodes: [{ id: a }]' });
  expect(given('--document', '{"nodes":[]}')).toMatchObject({ document: { nodes: [] } });
  expect(() => given('--binding', 'kind: commit')).toThrow('It must be JSON');
});

test('the help shows the values of a choice, required options, and repeatable options', () => {
  const told = Object.entries(input).map(([member, schema]) => memberOption(member, schema));
  expect(told.find(({ long }) => long === '--mode')?.flags).toBe('--mode <full|seed>');
  expect(told.find(({ long }) => long === '--plan')?.description).toBe('required');
  expect(told.find(({ long }) => long === '--labels')?.description).toBe('repeatable');
});

test('start warns of an unknown option, without its value', () => {
  expect(strayWords(['start', '--token=secret', '--Service:Token', 'x', '--port', '1', '--bogus'], 'start')).toEqual([
    '--token has no effect; did you mean --Service:Token?',
    '--bogus has no effect.',
  ]);
  expect(strayWords([], 'start')).toEqual([]);
  expect(strayWords(['console', 'extra'], 'console')).toEqual(['extra has no effect.']);
});
