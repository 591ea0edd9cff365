import type { EventLog } from '../../kernel/event-log.ts';
import { type Fault, isRefusal, type Refusal } from '../../kernel/outcome.ts';
import type { PlanBook } from './book.ts';
import type { ImportReport } from './contract.ts';
import { appendsOf } from './decide.ts';
import { longText } from './document-input.ts';
import { importPlan } from './import.ts';
import { keyOf } from './key.ts';
import { type FileText, type PlacedFault, readFileText } from './plan-text.ts';
import type { PlanFile, PlanFiles, PlanTexts, PlanViews } from './ports.ts';
import type { NewPlan } from './tidy.ts';

export type FileFaults = { file: string; errors: (Fault | PlacedFault)[] };
export type Rescanned = { path: string; imported: ImportReport[]; failed: FileFaults[] };

type Ground = { log: EventLog; plans: PlanBook; views: PlanViews; texts?: PlanTexts | undefined };

/**
 * Takes up every file in seed shape; a file that cannot be taken is told and never stops the others. Refused only where
 * the store takes nothing: that is no fault of a file.
 */
export async function rescanPlans(ground: Ground, files: PlanFiles, by: string): Promise<Rescanned | Refusal> {
  const told: Rescanned = { path: files.path, imported: [], failed: [] };
  const seen = new Map<string, string>();
  for (const file of await files.read()) {
    const taken = await takeFile(ground, file, seen, by);
    if (isRefusal(taken)) return taken;
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
): Promise<ImportReport | (Fault | PlacedFault)[] | Refusal> {
  if ('unreadable' in file) return [{ path: '', message: file.unreadable }];
  const read = await readFile(ground, file.text);
  if ('faults' in read) return read.faults;
  const { document } = read;
  const twin = seen.get(keyOf(document.plan));
  if (twin !== undefined) {
    const message = `${document.plan} is the plan of ${twin} already`;
    return placed(ground, file.text, [{ path: 'plan', message }]);
  }
  seen.set(keyOf(document.plan), file.file);
  const report = await seed(ground, document, by);
  if (!isRefusal(report) || report.code === 'store_unavailable') return report;
  return placed(ground, file.text, report.errors ?? [{ path: '', message: report.detail }]);
}

/** A long text takes many milliseconds, in which nobody else would be answered: it is read elsewhere. */
async function readFile({ texts }: Ground, text: string, paths: readonly string[] = []): Promise<FileText> {
  return texts && text.length >= longText ? texts.readFile(text, paths) : readFileText(text, paths);
}

async function placed(ground: Ground, text: string, faults: readonly Fault[]): Promise<(Fault | PlacedFault)[]> {
  const paths = faults.map(({ path }) => path);
  const read = await readFile(ground, text, paths);
  return faults.map((fault, index) => ({ ...fault, ...('places' in read && read.places[index]) }));
}

function seed({ log, plans, views }: Ground, document: NewPlan, by: string): Promise<ImportReport | Refusal> {
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
