import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type ImportedTest, importedTest } from '../import/imported-run.ts';
import { writtenSince } from './report-files.ts';

type Task = { tool: 'turbo' | 'nx'; name: string; hash: string; isCached: boolean };

const turboRun = z.object({
  tasks: z.array(
    z.object({ taskId: z.string(), task: z.string(), hash: z.string(), cache: z.object({ status: z.string() }) }),
  ),
});
const nxRun = z.object({
  tasks: z.array(z.object({ taskId: z.string(), target: z.string(), hash: z.string(), cacheStatus: z.string() })),
});
const isTests = (target: string): boolean => /test|spec|e2e/i.test(target);

/** Asks turbo to record which tasks it took from its cache; nx always does. */
export const askForTasks = (
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> =>
  env.TURBO_RUN_SUMMARY === undefined && existsSync(join(folder, 'turbo.json')) ? { TURBO_RUN_SUMMARY: 'true' } : {};

/** How turbo and nx handled their test tasks after `since`. */
export function tasksSince(folder: string, since: number, isOurs: boolean): Task[] {
  const turbo = filesIn(join(folder, '.turbo', 'runs'), since).flatMap((file) => {
    const tasks = read(file, turboRun)?.tasks ?? [];
    if (isOurs) rmSync(file, { force: true });
    return tasks.map(({ taskId, task, hash, cache }) => ({
      taskId,
      target: task,
      hash,
      isCached: cache.status === 'HIT',
    }));
  });
  const nx = [join(folder, '.nx', 'cache'), join(folder, 'node_modules', '.cache', 'nx')]
    .flatMap((path) => filesIn(path, since).filter((file) => file.endsWith('run.json')))
    .flatMap((file) => read(file, nxRun)?.tasks ?? [])
    .map(({ cacheStatus, ...task }) => ({ ...task, isCached: /cache-hit|kept-existing/.test(cacheStatus) }));
  const named = (tool: Task['tool']) => (one: { taskId: string; hash: string; isCached: boolean }) => ({
    tool,
    name: one.taskId,
    hash: one.hash,
    isCached: one.isCached,
  });
  const tests = <Kind extends { target: string }>(tasks: Kind[]) => tasks.filter(({ target }) => isTests(target));
  return [...tests(turbo).map(named('turbo')), ...tests(nx).map(named('nx'))];
}

/** A cached task is a test that did not run here; it refers to the run in which its inputs were tested. */
export function cachedTests(folder: string, tasks: readonly Task[], runId: string): ImportedTest[] {
  const memory = join(folder, 'node_modules', '.cache', 'signalbox', 'tasks.json');
  const runs = new Map(Object.entries(read(memory, z.record(z.string(), z.string())) ?? {}));
  const tests = tasks
    .filter(({ isCached }) => isCached)
    .map(({ tool, name, hash }) => {
      const run = runs.get(hash);
      const message = run === undefined ? 'cached: its tests ran elsewhere' : `cached: its tests ran in run ${run}`;
      return importedTest({ feature: tool, name, outcome: 'Skipped', message });
    });
  const fresh = tasks.filter(({ isCached }) => !isCached);
  for (const { hash } of fresh) {
    runs.delete(hash);
    runs.set(hash, runId);
  }
  if (fresh.length > 0) remember(memory, runs);
  return tests;
}

const tasksRemembered = 2_000;

function remember(file: string, runs: ReadonlyMap<string, string>): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(Object.fromEntries([...runs].slice(-tasksRemembered))));
  } catch {
    // If the folder is not writable, only the name of the run is missing.
  }
}

function filesIn(folder: string, since: number): string[] {
  try {
    return readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((file) => file.endsWith('.json') && writtenSince(file, since));
  } catch {
    return [];
  }
}

function read<Shape>(file: string, shape: z.ZodType<Shape>): Shape | null {
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
