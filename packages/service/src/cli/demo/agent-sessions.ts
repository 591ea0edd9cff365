import { type ChildProcess, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { platform } from '../../platform/platform.ts';
import { endProcess, startAgentProcess } from './agent-process.ts';

/** A session as its tool writes it to disk, with a live process. */
export type DemoSession = {
  sessionId: string;
  /** Works on something; `tool` is the tool it calls. */
  work(tool: string): void;
  idle(): void;
  /** Waits for a permission of its user. */
  ask(): void;
  /** Kills it in the middle of its turn. */
  kill(): Promise<void>;
};

export type SessionMaker = (title: string, cwd: string) => Promise<DemoSession>;
type Home = { root: string; home: string; children: ChildProcess[] };

function put(file: string, text: string, append = false): void {
  mkdirSync(dirname(file), { recursive: true });
  if (append) appendFileSync(file, text);
  else writeFileSync(file, text);
}

const line = (record: object): string => `${JSON.stringify(record)}\n`;
const now = () => new Date().toISOString();

/** Claude Code: a registry file for each process, and a transcript. */
export const claudeSessions =
  ({ root, home, children }: Home): SessionMaker =>
  async (title, cwd) => {
    const sessionId = randomUUID();
    const child = startAgentProcess(root, 'claude', cwd);
    children.push(child);
    const pid = child.pid ?? 0;
    const procStart = (await platform.processes.startTimes([pid])).get(pid) ?? '';
    const registry = join(home, '.claude', 'sessions', `${pid}.json`);
    const transcript = join(home, '.claude', 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'), `${sessionId}.jsonl`);
    const startedAt = Date.now();
    const own = { sessionId, cwd, gitBranch: 'main', entrypoint: 'cli', isSidechain: false, version: '2.1.325' };
    let used = 0;
    const note = (status: string, content: object[], stop: string, more: object = {}) => {
      const usage = { input_tokens: 900 + used * 40, cache_read_input_tokens: 24_000 + used * 900, output_tokens: 180 };
      used += 1;
      const message = { id: `m${used}`, model: 'claude-demo', stop_reason: stop, content, usage };
      const at = Date.now();
      const entry = { pid, sessionId, cwd, procStart, entrypoint: 'cli', status, startedAt, name: title };
      // Written before the transcript, as the tool does: a transcript without a registered process counts as ended.
      put(registry, JSON.stringify({ ...entry, updatedAt: at, statusUpdatedAt: at, ...more }));
      put(transcript, line({ type: 'assistant', ...own, timestamp: now(), message }), true);
    };
    const calls = (name: string) => [{ type: 'tool_use', name, input: {} }];
    return {
      sessionId,
      work: (tool) => note('busy', calls(tool), 'tool_use'),
      idle: () => note('idle', [{ type: 'text', text: 'Done.' }], 'end_turn'),
      ask: () => note('waiting', calls('Bash'), 'tool_use', { waitingFor: 'permission prompt' }),
      kill: () => endProcess(child),
    };
  };

/** Codex: a rollout that its process holds open. */
export const codexSessions =
  ({ root, home, children }: Home): SessionMaker =>
  async (_title, cwd) => {
    const sessionId = randomUUID();
    const at = now();
    const day = at.slice(0, 10).replaceAll('-', '/');
    const stamp = at.slice(0, 19).replaceAll(':', '-');
    const file = join(home, '.codex', 'sessions', day, `rollout-${stamp}-${sessionId}.jsonl`);
    const add = (type: string, payload: object) => put(file, line({ timestamp: now(), type, payload }), true);
    add('session_meta', { id: sessionId, cwd, git: { branch: 'main' } });
    add('turn_context', { model: 'codex-demo' });
    const child = startAgentProcess(root, 'codex.js', cwd, file);
    children.push(child);
    return {
      sessionId,
      work: (tool) => {
        add('event_msg', { type: 'task_started' });
        add('response_item', { type: 'function_call', name: tool });
      },
      idle: () => add('event_msg', { type: 'task_complete' }),
      ask: () => add('event_msg', { type: 'exec_approval_request' }),
      kill: () => endProcess(child),
    };
  };

/** Gemini CLI: a chat in a folder that names the project; its process works in the project's folder. */
export const geminiSessions =
  ({ root, home, children }: Home): SessionMaker =>
  async (_title, cwd) => {
    const sessionId = randomUUID();
    const child = startAgentProcess(root, 'gemini', cwd);
    children.push(child);
    // The tool writes only after it has started.
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    const folder = join(home, '.gemini', 'tmp', sessionId.slice(0, 8));
    const stamp = now().slice(0, 16).replaceAll(':', '-');
    const file = join(folder, 'chats', `session-${stamp}-${sessionId.slice(0, 8)}.jsonl`);
    put(join(folder, '.project_root'), cwd);
    put(file, line({ sessionId, projectHash: 'demo', startTime: now(), lastUpdated: now(), kind: 'main' }));
    const add = (record: object) => put(file, line({ id: randomUUID(), timestamp: now(), ...record }), true);
    const tokens = { input: 6_200, output: 42, cached: 5_000, thoughts: 0, tool: 0, total: 6_242 };
    return {
      sessionId,
      work: (tool) => {
        add({ type: 'user', content: [{ text: '' }] });
        add({ type: 'gemini', content: '', tokens, model: 'gemini-demo', toolCalls: [{ name: tool }] });
      },
      idle: () => add({ type: 'gemini', content: 'Done.', tokens, model: 'gemini-demo' }),
      ask: () => undefined,
      kill: () => endProcess(child),
    };
  };

/** The parts of a git clone that are read: its remote and its checked-out branch. */
export function demoRepository(home: string, name: string): string {
  const folder = join(home, 'code', name.split('/').at(-1) ?? name);
  put(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  put(join(folder, '.git', 'config'), `[remote "origin"]\n\turl = git@github.com:${name}.git\n`);
  return folder;
}

const source = 'src/price.ts';
const lines = (from: number, to: number, text: string): string =>
  Array.from({ length: 40 }, (_, at) => `${at >= from && at < to ? text : 'line'} ${at + 1}\n`).join('');

/** A second working tree of a repository; null if git is not installed. */
export function demoWorktree(home: string, name: string, branch: string): string | null {
  const folder = demoRepository(home, name);
  const worktree = `${folder}-${branch}`;
  const own = ['-c', 'user.name=demo', '-c', 'user.email=demo@localhost', '-c', 'commit.gpgsign=false'];
  const git = (...given: string[]) =>
    execFileSync('git', [...own, ...given], { cwd: folder, stdio: 'ignore', env: { ...process.env, HOME: home } });
  put(join(folder, source), lines(0, 0, ''));
  try {
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'Prices');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    git('worktree', 'add', '-q', '-b', branch, worktree);
    return worktree;
  } catch {
    return null;
  }
}

/** Two agents change the same lines, each in a separate tree. */
export function changeSameLines(one: string, other: string): void {
  put(join(one, source), lines(4, 12, 'lexer'));
  put(join(other, source), lines(8, 20, 'refund'));
  put(join(other, 'src/refund.ts'), lines(0, 40, 'refund'));
}

export const forget = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
