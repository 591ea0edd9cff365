import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binIn, install } from './scratch.ts';

type Task = { id: number; done: boolean; on: number[] };

/** A plan in the format of those tools: a third is done, each task waits for up to two earlier ones. */
export const tasksOf = (count: number): Task[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    done: index < count / 3,
    on: [index, index - 7].filter((on) => on > 0 && index % 10 !== 0),
  }));

const timed = (command: string, args: string[], cwd: string): { ms: number } | { why: string } => {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 120_000 });
  if (status === 0) return { ms: performance.now() - started };
  return { why: `${stderr}${stdout}`.trim().split('\n')[0] ?? `exit ${status}` };
};

export type Tool = { name: string; next(count: number, folder: string): { ms: number } | { why: string } };

export const taskMaster: Tool = {
  name: 'task-master next',
  next(count, folder) {
    const why = install('task-master-ai');
    if (why !== undefined) return { why };
    const home = join(folder, `task-master-${count}`);
    mkdirSync(join(home, '.taskmaster', 'tasks'), { recursive: true });
    const tasks = tasksOf(count).map(({ id, done, on }) => ({
      id,
      title: `Task ${id}`,
      description: `What task ${id} is about`,
      status: done ? 'done' : 'pending',
      dependencies: on,
      priority: 'medium',
      details: '',
      testStrategy: '',
      subtasks: [],
    }));
    writeFileSync(
      join(home, '.taskmaster', 'tasks', 'tasks.json'),
      JSON.stringify({ master: { tasks, metadata: {} } }),
    );
    return timed(binIn('task-master'), ['next'], home);
  },
};

export const backlog: Tool = {
  name: 'backlog task list --ready',
  next(count, folder) {
    const why = install('backlog.md');
    if (why !== undefined) return { why };
    const home = join(folder, `backlog-${count}`);
    mkdirSync(home, { recursive: true });
    spawnSync('git', ['init', '-q'], { cwd: home });
    const made = timed(binIn('backlog'), ['init', 'bench', '--defaults'], home);
    if ('why' in made) return made;
    for (const { id, done, on } of tasksOf(count))
      writeFileSync(
        join(home, 'backlog', 'tasks', `task-${id} - Task-${id}.md`),
        `---\nid: task-${id}\ntitle: Task ${id}\nstatus: ${done ? 'Done' : 'To Do'}\nassignee: []\ncreated_date: '2026-01-01 00:00'\nlabels: []\ndependencies: [${on.map((other) => `task-${other}`).join(', ')}]\n---\n`,
      );
    return timed(binIn('backlog'), ['task', 'list', '--ready', '--json'], home);
  },
};
