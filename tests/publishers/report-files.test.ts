import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findReports, readReport } from '../../packages/service/src/cli/run/report-files.ts';

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
    'target/nextest/default/junit.xml',
  ].map((path) => lay(path));
  lay('a/b/c/d/too-deep.xml');
  lay('build/classes/meta.xml');
  lay('node_modules/x/junit.xml');
  lay('.cache/junit.xml');
  lay('notes.txt');
  lay('old.xml', began - 60_000);
  expect(findReports(folder, began).sort()).toEqual(reports);
  rmSync(folder, { recursive: true });
});

test('a report is read as import reads it: a test that broke is no pass, one left out is skipped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-reports-'));
  const file = join(folder, 'junit.xml');
  const cases = [
    '<testcase classname="c" name="passes" time="1,200.5"/>',
    '<testcase classname="c" name="breaks"><error message="no">stack</error></testcase>',
    '<testcase classname="c" name="rests"><skipped/></testcase>',
  ];
  writeFileSync(file, `<testsuite name="s">${cases.join('')}</testsuite>`);
  expect(readReport(file)?.map(({ scenario, state, durationMs }) => [scenario, state, durationMs])).toEqual([
    ['passes', 'passed', 1_200_500],
    ['breaks', 'other', 0],
    ['rests', 'skipped', 0],
  ]);
  writeFileSync(join(folder, 'package.json'), '{"name":"x"}');
  expect(readReport(join(folder, 'package.json'))).toBeNull();
  writeFileSync(join(folder, 'out.tap'), '1..1\nok 1 - adds\n');
  expect(readReport(join(folder, 'out.tap'))).toMatchObject([{ scenario: 'adds', state: 'passed' }]);
  rmSync(folder, { recursive: true });
});
