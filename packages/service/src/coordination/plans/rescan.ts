import type { EventLog } from '../../kernel/event-log.ts';
import { type Fault, isRefusal, type Refusal } from '../../kernel/outcome.ts';
import type { ImportReport } from './contract.ts';
import { appendsOf } from './decide.ts';
import { longText } from './document-input.ts';
import { importPlan } from './import-plan.ts';
import { keyOf } from './key.ts';
import type { NewPlan } from './normalise.ts';
import type { PlanProjection } from './plan-projection.ts';
import { type FileText, type PositionedFault, readFileText } from './plan-text.ts';
import type { PlanFile, PlanFiles, PlanTexts, PlanViews } from './ports.ts';

export type FileFaults = { file: string; errors: (Fault | PositionedFault)[] };
export type RescanResult = { path: string; imported: ImportReport[]; failed: FileFaults[] };

type RescanDeps = { log: EventLog; plans: PlanProjection; views: PlanViews; texts?: PlanTexts | undefined };

/**
 * Imports every file in seed mode; a file that cannot be imported is reported and never stops the others. Refused only if the store is unavailable, which is not the fault of a file.
 */
export async function rescanPlans(deps: RescanDeps, files: PlanFiles, by: string): Promise<RescanResult | Refusal> {
  const result: RescanResult = { path: files.path, imported: [], failed: [] };
  const fileByPlan = new Map<string, string>();
  for await (const file of files.read()) {
    const outcome = await importFile(deps, file, fileByPlan, by);
    if (isRefusal(outcome)) return outcome;
    if (Array.isArray(outcome)) result.failed.push({ file: file.file, errors: outcome });
    else result.imported.push(outcome);
  }
  return result;
}

async function importFile(
  deps: RescanDeps,
  file: PlanFile,
  fileByPlan: Map<string, string>,
  by: string,
): Promise<ImportReport | (Fault | PositionedFault)[] | Refusal> {
  if ('unreadable' in file) return [{ path: '', message: file.unreadable }];
  const read = await readFile(deps, file.text);
  if ('faults' in read) return read.faults;
  const { document } = read;
  const otherFile = fileByPlan.get(keyOf(document.plan));
  if (otherFile !== undefined) {
    const message = `${document.plan} is already the plan of ${otherFile}`;
    return withPositions(deps, file.text, [{ path: 'plan', message }]);
  }
  fileByPlan.set(keyOf(document.plan), file.file);
  const report = await importAsSeed(deps, document, by);
  if (!isRefusal(report) || report.code === 'store_unavailable') return report;
  return withPositions(deps, file.text, report.errors ?? [{ path: '', message: report.detail }]);
}

/** A long text takes many milliseconds, in which no other call is answered, so it is read in a thread. */
async function readFile({ texts }: RescanDeps, text: string, paths: readonly string[] = []): Promise<FileText> {
  return texts && text.length >= longText ? texts.readFile(text, paths) : readFileText(text, paths);
}

async function withPositions(
  deps: RescanDeps,
  text: string,
  faults: readonly Fault[],
): Promise<(Fault | PositionedFault)[]> {
  const paths = faults.map(({ path }) => path);
  const read = await readFile(deps, text, paths);
  return faults.map((fault, index) => ({ ...fault, ...('places' in read && read.places[index]) }));
}

function importAsSeed(
  { log, plans, views }: RescanDeps,
  document: NewPlan,
  by: string,
): Promise<ImportReport | Refusal> {
  const { plan: slug } = document;
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
      claimStream: (node) => views.claimStream(slug, node),
    });
    if (isRefusal(imported)) return imported;
    const { authored, report } = imported;
    return {
      append: appendsOf(authored, by),
      answer: () => ({ ...report, version: plans.find(slug)?.version ?? 0 }),
    };
  });
}
