import { expect, test } from 'vitest';
import { citationsIn } from './citations.ts';

const imported = "import { verifies } from '../verifies.ts';\n";
const idsIn = (source: string) => citationsIn('a.test.ts', source).cited.map(({ id }) => id);

test('one id, several ids and a case per door are all found, with their line', () => {
  const source = `${imported}verifies('a:b', 't', () => {});
describe('x', () => verifies(['c:d', 'e:f'], 't', async () => {}));
verifies.each(doors)('g:h', 't', (door) => {});`;
  expect(citationsIn('a.test.ts', source)).toEqual({
    cited: [
      { id: 'a:b', at: 'a.test.ts:2' },
      { id: 'c:d', at: 'a.test.ts:3' },
      { id: 'e:f', at: 'a.test.ts:3' },
      { id: 'g:h', at: 'a.test.ts:4' },
    ],
    faults: [],
  });
});

test('an import under another name is followed', () => {
  expect(idsIn("import { verifies as v } from './verifies.ts';\nv('a:b', 't', () => {});")).toEqual(['a:b']);
});

test('comments, strings and functions of that name from elsewhere prove nothing', () => {
  expect(idsIn(`${imported}// verifies('a:b')\nconst s = "verifies('c:d')";`)).toEqual([]);
  expect(idsIn("import { verifies } from 'elsewhere';\nverifies('a:b', 't', () => {});")).toEqual([]);
});

test.each(['verifies(ids, "t", f)', 'verifies([], "t", f)', 'verifies(["a:b", x], "t", f)', 'verifies()'])(
  'ids that cannot be read from the source are a fault: %s',
  (call) => {
    const { cited, faults } = citationsIn('a.test.ts', `${imported}${call};`);
    expect(cited).toEqual([]);
    expect(faults).toEqual(['a.test.ts:2 must write its requirement ids as string literals']);
  },
);

test('a file that does not parse is a fault, not a file without citations', () => {
  expect(citationsIn('a.test.ts', `${imported}verifies(`).faults).toHaveLength(1);
});
