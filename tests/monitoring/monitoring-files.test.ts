import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { cloneDatabase } from '../postgres/clone.ts';
import { start } from '../start.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'packages/service/monitoring');
const rulesFile = join(folder, 'alerts.yml');

type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: Record<string, string> };
const rules: Rule[] = parse(readFileSync(rulesFile, 'utf8')).groups.flatMap(({ rules: own }: { rules: Rule[] }) => own);
type Panel = { title: string; targets: { expr: string }[] };
const panels: Panel[] = JSON.parse(readFileSync(join(folder, 'grafana-dashboard.json'), 'utf8')).panels;

const metricsIn = (expression: string): string[] =>
  expression.match(/\b(?:signalbox|nodejs|process)_[a-z0-9_]+/g)?.map((name) => name.replace(/_bucket$/, '')) ?? [];

test('every metric that an alert or the dashboard names is one that a service with a shared store has', async () => {
  await using service = await start({ settings: { Store: await cloneDatabase(), HostName: 'one' } });
  const texts = [await service.call('GET', '/metrics'), await service.console('GET', '/metrics')];
  const known = new Set(texts.flatMap(({ text }) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)));
  const named = [...rules.map(({ expr }) => expr), ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
  expect(named.flatMap(metricsIn).filter((name) => !known.has(name))).toEqual([]);
  for (const expression of named)
    expect(metricsIn(expression).length + Number(/\bup\{/.test(expression))).toBeGreaterThan(0);
});

test('every alert names a row of the operations page that ends it', () => {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const symptoms = page.slice(page.indexOf('## By symptom'));
  for (const { alert, annotations, labels } of rules) {
    const [, row = ''] = /^docs\/operations\.md#by-symptom \((.+)\)$/.exec(annotations.runbook ?? '') ?? [];
    expect(row === '' ? alert : symptoms).toMatch(row === '' ? /^$/ : new RegExp(`^\\| ${row}[ :|]`, 'm'));
    expect(annotations.summary).toMatch(/\.$/);
    expect(['warning', 'critical']).toContain(labels.severity);
  }
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

test.runIf(hasPromtool)('promtool takes the rules, and the expressions of the dashboard as rules', () => {
  expect(spawnSync('promtool', ['check', 'rules', rulesFile], { encoding: 'utf8' })).toMatchObject({ status: 0 });
  const instance = (expr: string) => expr.replaceAll('$instance', '.*');
  const recorded = panels
    .flatMap(({ targets }) => targets)
    .map(({ expr }, at) => ({ record: `panel:${at}`, expr: instance(expr) }));
  const file = join(mkdtempSync(join(tmpdir(), 'signalbox-dashboard-')), 'rules.json');
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] }));
  const checked = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
  expect([checked.status, checked.stderr]).toEqual([0, '']);
});
