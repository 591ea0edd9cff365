import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { ImportReport, PlanDocument } from '../coordination/plans/contract.ts';
import { type CheckedPlan, parallelTouches } from '../coordination/plans/parallel-touches.ts';
import {
  checkPlanText,
  type PositionedFault,
  readPlanText,
  type TextPosition,
} from '../coordination/plans/plan-text.ts';
import { errorCode } from '../kernel/error-code.ts';
import { CallFailed, createClient, exitCodes, urlOption } from './client.ts';
import { printAnswer } from './table.ts';
import { userFile } from './user-folder.ts';

type ImportOptions = {
  url?: string;
  json?: boolean;
  by?: string;
  mode?: 'full' | 'seed';
  dryRun?: boolean;
  force?: boolean;
};

/** `signalbox plans check FILE...` without a service, and `signalbox plans import FILE` over REST. */
export function addPlanFiles(plans: Command): void {
  plans
    .command('check <files...>')
    .description('list every error in plan files with line and column, and nodes that may conflict')
    .action(check);
  plans
    .command('import <file>')
    .description('create a plan from a file, or replace it')
    .addOption(
      new Option('--mode <mode>', 'full (default) also removes nodes; seed only adds and changes').choices([
        'full',
        'seed',
      ]),
    )
    .option('--dry-run', 'show what would change without changing anything')
    .option('--force', 'allow removing claimed nodes')
    .option('--by <label>', 'name of the person or agent who acts')
    .option('--json', 'print JSON')
    .option(...urlOption)
    .action(importFile);
}

function check(files: readonly string[]): void {
  const faults = files.flatMap((file) => checkPlanText(readText(file)).map((fault) => describeFault(file, fault)));
  if (faults.length > 0) throw new CallFailed(faults.join('\n'), exitCodes.refused);
  const warnings = describeParallelTouches(files);
  process.stdout.write(`No errors in ${files.length === 1 ? 'the file' : `${files.length} files`}.\n${warnings}`);
}

const mostWarnings = 50;

/** Nodes of these plans that can be worked on at the same time and touch the same files. */
function describeParallelTouches(files: readonly string[]): string {
  const read = new Map<CheckedPlan, { file: string; place: (path: string) => TextPosition }>();
  for (const file of files) {
    const found = readPlanText(readText(file));
    if (!('document' in found)) continue;
    const { plan, repository = null, nodes } = found.document;
    read.set({ slug: plan ?? file, repository, nodes: nodes ?? [] }, { file, place: found.place });
  }
  const found = parallelTouches([...read.keys()]);
  const lines = found.slice(0, mostWarnings).map(({ plan, at, ref, other, glob }) => {
    const { file, place } = read.get(plan) ?? { file: '', place: () => ({ line: 1, column: 1 }) };
    const path = `nodes[${at}].touches`;
    const message = `warning: ${ref} and ${other} can be worked on at the same time and both touch ${glob}. Let one depend on the other, or narrow touches.`;
    return describeFault(file, { path, message, ...place(path) });
  });
  const more = found.length > mostWarnings ? [`${found.length - mostWarnings} more warnings of this kind.`] : [];
  return [...lines, ...more].map((line) => `${line}\n`).join('');
}

async function importFile(file: string, { url, json, by, mode, dryRun, force }: ImportOptions): Promise<void> {
  const text = readText(file);
  const { plan: slug } = readNamedPlan(file, text);
  const report = await createClient(url).call('import_plan', { plan: slug, document: text, by, mode, dryRun, force });
  printAnswer(json, report, () => describeImport(report));
}

function describeImport({ slug, created, restored, dryRun, version, ...report }: ImportReport): string {
  const lines = [
    ...report.added.map((id) => `  + ${id}`),
    ...report.changed.map(({ id, fields }) => `  ~ ${id} (${fields.join(', ')})`),
    ...report.removed.map((id) => `  - ${id}`),
    ...report.kept.map((id) => `  = ${id} (kept)`),
  ];
  const what = restored
    ? 'was restored'
    : lines.length === 0
      ? 'already matches the file'
      : created
        ? 'was created'
        : 'was changed';
  return `${slug} ${dryRun ? `${what} (dry run: nothing was written)` : `${what}, version ${version}`}\n${lines.map((line) => `${line}\n`).join('')}`;
}

const describeFault = (file: string, { path, message, line, column }: PositionedFault): string =>
  `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`;

/** The document of a file that names its plan. */
export function readNamedPlan(file: string, text = readText(file)): PlanDocument & { plan: string } {
  const document = readPlan(file, text);
  const { plan } = document;
  if (plan) return { ...document, plan };
  throw new CallFailed(`${file} has no plan slug. Add the line "plan: <slug>" at its top.`, exitCodes.usage);
}

/** The document in a file, YAML or JSON. Only the service can check its references. */
function readPlan(file: string, text: string): PlanDocument {
  const read = readPlanText(text);
  if ('document' in read) return read.document;
  throw new CallFailed(read.faults.map((fault) => describeFault(file, fault)).join('\n'), exitCodes.refused);
}

function readText(file: string): string {
  try {
    return readFileSync(userFile(file), 'utf8');
  } catch (error) {
    throw new CallFailed(
      `${file} cannot be read (${errorCode(error)}). Check its name and permissions.`,
      exitCodes.usage,
    );
  }
}
