import type { EventLog } from '../../kernel/event-log.ts';
import { type Fault, isRefusal, type Refusal } from '../../kernel/outcome.ts';
import type { PlanBook } from './book.ts';
import { type ImportReport, type PlanDocument, planDocument } from './contract.ts';
import { appendsOf } from './decide.ts';
import { importPlan } from './import.ts';
import { keyOf } from './key.ts';
import { type PlacedFault, readPlanText } from './plan-text.ts';
import type { PlanFile, PlanFiles, PlanViews } from './ports.ts';

export type FileFaults = { file: string; errors: (Fault | PlacedFault)[] };
export type Rescanned = { path: string; imported: ImportReport[]; failed: FileFaults[] };

type Ground = { log: EventLog; plans: PlanBook; views: PlanViews };

/** Takes up every file in seed shape; a file that cannot be taken is told and never stops the others. */
export async function rescanPlans(ground: Ground, files: PlanFiles, by: string): Promise<Rescanned> {
  const told: Rescanned = { path: files.path, imported: [], failed: [] };
  const seen = new Map<string, string>();
  for (const file of await files.read()) {
    const taken = await takeFile(ground, file, seen, by);
    if (Array.isArray(taken)) told.failed.push({ file: file.file, errors: taken });
    else told.imported.push(taken);
  }
  return told;
}

async function takeFile(
  ground: Ground,
  file: PlanFile,
  seen: Map<string, string>,
  by: string,
): Promise<ImportReport | (Fault | PlacedFault)[]> {
  if ('unreadable' in file) return [{ path: '', message: file.unreadable }];
  const read = readPlanText(file.text, planDocument);
  if ('faults' in read) return read.faults;
  const { document } = read;
  const slug = document.plan ?? '';
  const twin = seen.get(keyOf(slug));
  if (twin !== undefined)
    return [{ path: 'plan', message: `${slug} is the plan of ${twin} already`, ...read.place('plan') }];
  seen.set(keyOf(slug), file.file);
  const report = await seed(ground, document, by);
  if (!isRefusal(report)) return report;
  const faults = report.errors ?? [{ path: '', message: report.detail }];
  return faults.map((fault) => ({ ...fault, ...read.place(fault.path) }));
}

function seed({ log, plans, views }: Ground, document: PlanDocument, by: string): Promise<ImportReport | Refusal> {
  const slug = document.plan ?? '';
  return log.commit((now) => {
    const imported = importPlan(plans, {
      slug,
      document,
      mode: 'seed',
      force: false,
      dryRun: false,
      source: 'file',
      restores: false,
      claimOn: (node) => views.liveClaim(slug, node, now),
    });
    if (isRefusal(imported)) return imported;
    const { authored, report } = imported;
    return {
      append: appendsOf(authored, by),
      answer: () => ({ ...report, version: plans.find(slug)?.version ?? 0 }),
    };
  });
}
