import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { platform } from '../../packages/service/src/platform/platform.ts';

export type Status = 'busy' | 'idle' | 'waiting' | 'shell';
export type SimulatedSession = {
  sessionId: string;
  pid: number;
  transcript: string;
  registryFile: string;
  /** The status that the tool records about itself. */
  reportStatus(status: Status, more?: object): Promise<void>;
  appendRecord(record: object): Promise<void>;
  /** Kills the process. */
  kill(): Promise<void>;
  /** Ends it as the tool does: the registry file is removed too. */
  exit(): Promise<void>;
};

export const finalAnswer = { message: { stop_reason: 'end_turn', content: [{ type: 'text', text: 'Done.' }] } };
export const toolUse = (name: string, input: object = {}) => ({
  message: { stop_reason: 'tool_use', content: [{ type: 'tool_use', name, input }] },
});

/** A home with real processes that look like sessions of Claude Code, and repositories for them to work in. */
export async function createAgentHome(now: () => number = Date.now) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'stage-')));
  const config = join(root, '.claude');
  const children: ChildProcess[] = [];
  await mkdir(join(config, 'sessions'), { recursive: true });
  await mkdir(join(config, 'projects'), { recursive: true });

  async function put(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }

  async function repository(path: string, name: string): Promise<string> {
    await put(`${path}/.git/HEAD`, 'ref: refs/heads/main\n');
    await put(`${path}/.git/config`, `[remote "origin"]\n\turl = git@github.com:${name}.git\n`);
    return join(root, path);
  }

  async function worktree(main: string, name: string): Promise<string> {
    const path = `${main}/.claude/worktrees/${name}`;
    await put(`${main}/.git/worktrees/${name}/HEAD`, `ref: refs/heads/worktree-${name}\n`);
    await put(`${main}/.git/worktrees/${name}/commondir`, '../..\n');
    await put(`${path}/.git`, `gitdir: ${join(root, main)}/.git/worktrees/${name}\n`);
    return join(root, path);
  }

  async function session(number: number, cwd: string): Promise<SimulatedSession> {
    const sessionId = `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;
    const child = spawn('sleep', ['600'], { stdio: 'ignore' });
    children.push(child);
    const pid = child.pid ?? 0;
    const procStart = (await platform.processes.startTimes([pid])).get(pid) ?? '';
    const registryFile = join(config, 'sessions', `${pid}.json`);
    const transcript = join(config, 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'), `${sessionId}.jsonl`);
    await mkdir(dirname(transcript), { recursive: true });
    const killed = async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    };
    const own = { sessionId, cwd, gitBranch: 'main', entrypoint: 'cli', isSidechain: false, version: '2.1.278' };
    return {
      sessionId,
      pid,
      transcript,
      registryFile,
      reportStatus: (status, more = {}) =>
        writeFile(
          registryFile,
          JSON.stringify({
            pid,
            sessionId,
            cwd,
            procStart,
            entrypoint: 'cli',
            status,
            startedAt: now(),
            updatedAt: now(),
            statusUpdatedAt: now(),
            name: `stage-${number}`,
            ...more,
          }),
        ),
      appendRecord: (record) =>
        appendFile(
          transcript,
          `${JSON.stringify({ type: 'assistant', ...own, timestamp: new Date(now()).toISOString(), ...record })}\n`,
        ),
      kill: killed,
      async exit() {
        await rm(registryFile, { force: true });
        await killed();
      },
    };
  }

  return {
    root,
    config,
    put,
    repository,
    worktree,
    session,
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL');
      await rm(root, { recursive: true, force: true });
    },
  };
}
