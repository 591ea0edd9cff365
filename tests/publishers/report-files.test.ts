import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findReports, readReports } from '../../packages/service/src/cli/run/report-files.ts';

test('reports are found where Maven, Gradle, Cargo and others leave them, and nothing else is read for one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-reports-'));
  const began = Date.now();
  const lay = (path: string, at = began + 1000) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    utimesSync(file, at / 1000, at / 1000);
    return file;
  };
  const reports = [
    'app/build/test-results/test/TEST-app.xml',
    'build/junit.xml',
    'junit.xml',
    'module/target/surefire-reports/TEST-a.xml',
    'reports/ctrf.json',
    'a/b/c/d/deep.xml',
    'a/b/m/target/surefire-reports/TEST-b.xml',
    'a/m/build/test-results/test/TEST-c.xml',
    'target/nextest/default/junit.xml',
  ].map((path) => lay(path));
  lay('build/classes/meta.xml');
  lay('node_modules/x/junit.xml');
  lay('.cache/junit.xml');
  lay('notes.txt');
  lay('old.xml', began - 60_000);
  expect(findReports(folder, began)).toEqual({ files: reports.sort(), isPartial: false });
  rmSync(folder, { recursive: true });
});

test('a report is read as by import: a broken test is not a pass, an omitted one is skipped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-reports-'));
  const file = join(folder, 'junit.xml');
  const cases = [
    '<testcase classname="c" name="passes" time="1,200.5"/>',
    '<testcase classname="c" name="breaks"><error message="no">stack</error></testcase>',
    '<testcase classname="c" name="rests"><skipped/></testcase>',
  ];
  writeFileSync(file, `<testsuite name="s">${cases.join('')}</testsuite>`);
  const read = (...names: string[]) =>
    readReports(
      names.map((name) => join(folder, name)),
      folder,
      true,
    );
  expect(read('junit.xml').read[0]?.tests.map(({ name, outcome, durationMs }) => [name, outcome, durationMs])).toEqual([
    ['passes', 'CleanPass', 1_200_500],
    ['breaks', 'Failed', 0],
    ['rests', 'Skipped', 0],
  ]);
  writeFileSync(join(folder, 'package.json'), '{"name":"x"}');
  expect(read('package.json')).toMatchObject({ read: [], leftOut: [{ file: 'package.json' }] });
  writeFileSync(join(folder, 'out.tap'), '1..1\nok 1 - adds\n');
  expect(read('out.tap').read).toMatchObject([{ tests: [{ name: 'adds', outcome: 'CleanPass' }] }]);
  writeFileSync(join(folder, 'copy.xml'), readFileSync(file));
  expect(read('junit.xml', 'copy.xml')).toMatchObject({
    read: [{ file: 'junit.xml' }],
    leftOut: [{ file: 'copy.xml', why: 'its tests are all in junit.xml' }],
  });
  writeFileSync(join(folder, 'cut.xml'), readFileSync(file, 'utf8').slice(0, 90));
  expect(read('cut.xml').read).toMatchObject([{ tests: [{ name: '(report)', outcome: 'Failed' }] }]);
  rmSync(folder, { recursive: true });
});
