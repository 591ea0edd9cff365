import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findReports } from '../../packages/service/src/cli/run/report-files.ts';

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
