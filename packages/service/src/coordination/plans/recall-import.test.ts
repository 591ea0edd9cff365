import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../kernel/event-log.ts';
import { streams } from '../../kernel/streams.ts';
import { recallImport } from './authoring-commands.ts';
import { appendsOf } from './decide.ts';
import { importPlan } from './import-plan.ts';
import { PlanProjection } from './plan-projection.ts';

const ask = { slug: 'shop', mode: 'full', dryRun: false, source: 'api', restores: true } as const;
const documents = [
  { nodes: [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }] },
  { title: 'Shop', nodes: [{ id: 'a', title: 'First' }, { id: 'c' }] },
  { title: 'Shop', nodes: [{ id: 'a', title: 'First' }, { id: 'c' }] },
  { title: 'Shop', nodes: [{ id: 'c' }] },
];

test('a lost import report is rebuilt unchanged, even after later imports', () => {
  const plans = new PlanProjection();
  const history: RecordedEvent[] = [];
  const reports = documents.map((document, step) => {
    const request = { ...ask, document, force: false, claimOn: () => null, claimStream: () => '' };
    const imported = importPlan(plans, request);
    if (!('authored' in imported)) throw new Error('refused');
    const [append] = appendsOf(imported.authored, `author-${step}`);
    for (const event of append?.events ?? []) {
      const position = {
        sequence: history.length + 1,
        version: history.length + 1,
        at: `2026-01-01T09:0${step}:00.000Z`,
      };
      const stored = { stream: streams.plan('shop'), topic: streams.plan('shop'), id: `${history.length}` };
      history.push({ ...event, provenance: 'asserted', ...position, ...stored });
      plans.apply(history.at(-1) as RecordedEvent);
    }
    const version = plans.find('shop')?.version;
    const lost = recallImport(history, { ...ask, document }, `author-${step}`);
    return { first: { ...imported.report, version }, lost };
  });
  for (const { first, lost } of reports) expect(lost).toEqual(first);
  const [created] = reports;
  expect(recallImport(history, { ...ask, document: documents[0] ?? {} }, 'author-0')).toEqual(created?.first);
  expect(recallImport(history, { ...ask, document: { nodes: [{ id: 'z' }] } }, 'author-0')).toBeUndefined();
});
