import { expect, test } from 'vitest';
import { checkPlanText, isTooDeep, readPlanText, tooLarge } from './plan-text.ts';

const said = (text: string) =>
  checkPlanText(text).map(({ path, message, line, column }) => `${line}:${column} ${path} ${message}`);

test('YAML and JSON are read the same way', () => {
  const yaml = readPlanText('plan: a\nnodes:\n  - id: b\n    estimateMinutes: 30\n');
  const json = readPlanText('{"plan":"a","nodes":[{"id":"b","estimateMinutes":30}]}');
  expect(yaml).toMatchObject({ document: { plan: 'a', nodes: [{ id: 'b', estimateMinutes: 30 }] } });
  expect('document' in yaml && 'document' in json && yaml.document).toEqual('document' in json && json.document);
});

test('all faults are reported together, each with its line and column', () => {
  const text = [
    'plan: rescan',
    'titel: Wrong',
    'nodes:',
    '  - id: lexer',
    '    dependson: []',
    '  - id: parser',
    '    estimateMinutes: -5',
    '    binding: { kind: issue, issue: nonsense }',
    '  - title: no id',
  ].join('\n');
  expect(said(text)).toEqual([
    '1:1 plan is a reserved word; choose another',
    '5:5 nodes[0].dependson unknown member; did you mean dependsOn?',
    '7:5 nodes[1].estimateMinutes Too small: expected number to be >0',
    '8:29 nodes[1].binding.issue must be owner/name#number',
    '9:5 nodes[2].id is required',
    '2:1 titel unknown member; did you mean title?',
  ]);
});

test('a reference to an unknown node is reported with its place', () => {
  const text = 'plan: a\nnodes:\n  - id: b\n    dependsOn: [other/x, c, d]\n';
  expect(said(text)).toEqual(
    [
      '4:5 nodes[0].dependsOn[1] c is not a node of a; write <plan>/<node> for a node of another plan',
      '4:5 nodes[0].dependsOn[2] d is not a node of a; write <plan>/<node> for a node of another plan',
    ].map((line) => expect.stringMatching(new RegExp(`^4:\\d+ ${line.slice(4).replace(/[[\]/.<>?]/g, '.')}$`))),
  );
});

test('a text that nests too deep is refused unread', () => {
  for (const text of [
    '['.repeat(200_000),
    '{"a":'.repeat(100_000),
    'nodes: [a, '.repeat(50_000),
    '- '.repeat(200_000),
  ]) {
    expect(readPlanText(text)).toMatchObject({ faults: [{ message: 'is nested too deeply' }] });
  }
  const plain = `plan: p\ntitle: "see [1, {2 and [3"\nnodes:\n${'  - { id: a1, labels: [x, y] }\n'.repeat(2_000)}`;
  expect(isTooDeep(plain)).toBe(false);
});

test('invalid YAML, a duplicate key and an alias bomb are faults with a place', () => {
  expect(said('plan: [a')[0]).toMatch(/^1:\d+ /);
  expect(said('plan: a\nplan: b\n')[0]).toMatch(/^2:1 .*unique/i);
  expect(said('plan: a\nplan: b\nx: "\ny: 1\n').map((fault) => fault.split(' ')[0])).toEqual(['2:1', '5:1']);
  const bomb = `plan: a\nx: &x [1,1,1,1,1,1,1,1,1]\ny: &y [${Array(9).fill('*x')}]\nz: &z [${Array(9).fill('*y')}]\nnodes: [${Array(99).fill('*z')}]\n`;
  expect(said(bomb).length).toBeGreaterThan(0);
  expect(said('').length).toBeGreaterThan(0);
});

test('a map of very many keys is read in a time that grows with its length alone', () => {
  const keys = Array.from({ length: 20_000 }, (_, at) => `k${at}: 1\n`).join('');
  expect(said(`plan: a\n${keys}`)[0]).toMatch(/^2:1 k0 /);
  expect(said(`plan: a\n${'[]\n'.repeat(10_000)}`)[0]).toMatch(/^2:1 /);
});

test('two nodes with one id cannot be distinguished, so the second is a fault', () => {
  expect(said('plan: a\nnodes:\n  - id: b\n  - id: B\n')).toEqual(['4:5 nodes[1].id B is already used by nodes[0]']);
});

test('a text with more values than a plan may have is refused before it is read', () => {
  const text = '- []\n'.repeat(1_000_000);
  expect(readPlanText(text)).toEqual({ faults: [{ path: '', message: tooLarge, line: 1, column: 1 }] });
});

test('a plan file of the older form gets one line with the change to make, not a line for each member', () => {
  const text =
    'schema: 1\nplan: epic\nrepos: { shop: acme/shop }\nnodes:\n  - { id: a, kind: issue, repo: shop }\n  - { id: b, kind: test-run-gate, depends_on: [a], merge: merge-on-green }\n';
  const faults = checkPlanText(text);
  expect(faults).toMatchObject([{ path: 'schema', line: 1 }]);
  expect(faults[0]?.message).toMatch(/depends_on as dependsOn.*test-run-gate as \{ kind: suite \}/);
});
