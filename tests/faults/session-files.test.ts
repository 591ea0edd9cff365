import { execFileSync } from 'node:child_process';
import {
  appendFile,
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ClaudeSessions } from '../../packages/service/src/coordination/agents/io/claude-sessions.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { rounds } from '../rounds.ts';

const id = (n: number) => `0000000${n}-0000-4000-8000-000000000000`;
const line = (more: object = {}) =>
  `${JSON.stringify({
    type: 'assistant',
    cwd: '/r',
    gitBranch: 'main',
    entrypoint: 'cli',
    timestamp: '2026-01-01T08:00:00.000Z',
    message: { stop_reason: 'end_turn', content: [{ type: 'text', text: 'x' }] },
    ...more,
  })}\n`;
const tool = line({ message: { stop_reason: 'tool_use', content: [{ type: 'tool_use', name: 'Bash' }] } });

async function directory(living: number[] = []) {
  const path = await mkdtemp(join(tmpdir(), 'nasty-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const project = join(path, 'projects/-r');
  await mkdir(project, { recursive: true });
  await mkdir(join(path, 'sessions'));
  const clock = createSettableClock();
  const processes = {
    startTimes: async (pids: readonly number[]) =>
      new Map(pids.filter((pid) => living.includes(pid)).map((pid) => [pid, null])),
    startFormat: null,
  };
  const source = new ClaudeSessions({ path, clock, processes, watches: false });
  const scan = async () => {
    clock.advance(30_000);
    const seen = await source.poll();
    return { ...seen, turns: [...seen.transcripts.values()].map(({ turn }) => `${turn.state} ${turn.detail}`) };
  };
  return { path, file: (n: number) => join(project, `${id(n)}.jsonl`), project, scan };
}

test('pipes, links, folders and strange names are no transcripts, and nothing waits for them', async () => {
  const { path, project, file, scan } = await directory();
  await writeFile(file(1), line());
  execFileSync('mkfifo', [file(2)]);
  await writeFile(join(path, 'outside.jsonl'), line());
  await symlink(join(path, 'outside.jsonl'), file(3));
  await symlink('/', join(path, 'projects/-root'));
  await mkdir(file(4));
  await writeFile(join(project, 'agent-1.jsonl'), line());
  expect([...(await scan()).transcripts.keys()]).toEqual([id(1)]);
});

test('endless devices, loops of links and second names of a file outside are no transcripts either', async () => {
  const { path, file, scan } = await directory();
  await writeFile(file(1), line());
  await symlink('/dev/zero', file(2));
  await symlink(file(4), file(3));
  await symlink(file(3), file(4));
  await symlink('/etc/passwd', file(5));
  // A hard link cannot be distinguished from the original file; its owner may read it anyway.
  await writeFile(join(path, 'elsewhere.jsonl'), tool);
  await link(join(path, 'elsewhere.jsonl'), file(6));
  const { transcripts } = await scan();
  expect([...transcripts.keys()].sort()).toEqual([id(1), id(6)]);
});

/** Runs the work as a user whose access depends on file modes, unlike the superuser; throws if that is not possible. */
async function asNobody<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

test.runIf(process.platform !== 'win32')(
  'a transcript that may not be read is a session of which nothing is known, until it may be',
  async ({ skip }) => {
    const { path, project, file, scan } = await directory();
    await writeFile(file(1), line());
    await writeFile(file(2), tool);
    await chmod(file(2), 0o644);
    for (const folder of [path, join(path, 'projects'), project, join(path, 'sessions')]) await chmod(folder, 0o755);
    const isClosed = await asNobody(() => readdir(path)).then(
      () => false,
      () => true,
    );
    if (isClosed) skip('nobody else can look into the temporary folder here');
    await chmod(file(1), 0o000);
    expect((await asNobody(scan)).turns.sort()).toEqual(['open tool:Bash', 'unclear unreadable_transcript']);
    await chmod(file(1), 0o644);
    expect((await scan()).turns.sort()).toEqual(['closed end_turn', 'open tool:Bash']);
    await chmod(file(2), 0o000);
    await appendFile(file(1), tool);
    expect((await asNobody(scan)).turns).toEqual(['open tool:Bash', 'open tool:Bash']);
  },
);

test('a pipe or a link in the registry is no registry file', async () => {
  const { path, scan } = await directory([7]);
  execFileSync('mkfifo', [join(path, 'sessions/7.json')]);
  await symlink('/etc/passwd', join(path, 'sessions/8.json'));
  expect((await scan()).registry).toBe('clean');
});

test('a registry file that cannot be read whole degrades the scan while its process lives', async () => {
  const { path, scan } = await directory([7]);
  await writeFile(join(path, 'sessions/7.json'), '{"pid":7,');
  await writeFile(join(path, 'sessions/8.json'), '{"pid":8,');
  expect((await scan()).registry).toBe('degraded');
  await writeFile(join(path, 'sessions/7.json'), JSON.stringify({ pid: 7, sessionId: id(1), status: 'teleporting' }));
  const { registry, entries } = await scan();
  expect(registry).toBe('clean');
  expect(entries).toMatchObject([{ pid: 7, sessionId: id(1), status: null, liveness: 'live' }]);
});

test('a spare process and a registry of the first generation name nobody', async () => {
  const { path, scan } = await directory([7]);
  await writeFile(join(path, 'sessions/pid-9.json'), '{"session_id":"x"}');
  expect((await scan()).registry).toBe('unused');
  await writeFile(join(path, 'sessions/7.json'), JSON.stringify({ pid: 7, spare: true }));
  expect(await scan()).toMatchObject({ registry: 'clean', entries: [] });
});

test('corrupt lines, an unfinished line and non-text bytes are skipped', async () => {
  const { file, scan } = await directory();
  await writeFile(
    file(1),
    Buffer.concat([Buffer.from(tool), Buffer.from([0xff, 0x00, 0x0a]), Buffer.from('{"type":"as')]),
  );
  expect((await scan()).turns).toEqual(['open tool:Bash']);
  await appendFile(file(1), `sistant"\n${line()}`);
  expect((await scan()).turns).toEqual(['closed end_turn']);
});

test('a character written in two halves, ends of lines of another system, NULs and half surrogates are read or passed over', async () => {
  const { file, scan } = await directory();
  const euro = Buffer.from(line({ message: { stop_reason: 'end_turn', content: [{ type: 'text', text: '€' }] } }));
  const half = euro.indexOf(0xe2) + 1;
  await writeFile(file(1), Buffer.concat([Buffer.from(tool), euro.subarray(0, half)]));
  expect((await scan()).turns).toEqual(['open tool:Bash']);
  await appendFile(file(1), euro.subarray(half));
  expect((await scan()).turns).toEqual(['closed end_turn']);
  await writeFile(file(1), tool.replaceAll('\n', '\r\n'));
  expect((await scan()).turns).toEqual(['open tool:Bash']);
  await writeFile(file(1), `${line()}${'\0'.repeat(4096)}\n`);
  expect((await scan()).turns).toEqual(['closed end_turn']);
  await writeFile(file(1), `${tool}${line().replace('"x"', '"\\ud800"')}`);
  expect((await scan()).turns).toEqual(['closed end_turn']);
});

test('a single line of many megabytes costs no more than is ever read', async () => {
  const { file, scan } = await directory();
  await writeFile(file(1), tool);
  await appendFile(file(1), Buffer.alloc(rounds(12, 100) * 1024 * 1024, 'x'));
  expect((await scan()).transcripts.size).toBe(1);
  await appendFile(file(1), `\n${line()}`);
  expect((await scan()).turns).toEqual(['closed end_turn']);
});

test('a file that is not a transcript is unclear, and an empty one has no turn', async () => {
  const { file, scan } = await directory();
  await writeFile(file(1), 'not json\nat all\n');
  await writeFile(file(2), '{"some":"other format"}\n');
  await writeFile(file(3), '');
  expect((await scan()).turns.sort()).toEqual([
    'none no_turn',
    'unclear unreadable_transcript',
    'unclear unreadable_transcript',
  ]);
});

test('a file that is truncated, rotated or replaced is read again from its start', async () => {
  const { file, scan } = await directory();
  await writeFile(file(1), line() + tool);
  expect((await scan()).turns).toEqual(['open tool:Bash']);
  await truncate(file(1), line().length);
  expect((await scan()).turns).toEqual(['closed end_turn']);
  await writeFile(`${file(1)}.new`, tool);
  await rename(`${file(1)}.new`, file(1));
  expect((await scan()).turns).toEqual(['open tool:Bash']);
  await rm(file(1));
  expect((await scan()).turns).toEqual([]);
});

test('a large record at the end and noise behind it do not hide the turn', async () => {
  const { file, scan } = await directory();
  const noise = line({ type: 'progress', isSidechain: true, text: 'n'.repeat(900) }).repeat(300);
  const large = line({ message: { stop_reason: 'end_turn', content: [{ type: 'text', text: 'y'.repeat(900_000) }] } });
  await writeFile(file(1), tool + large + noise);
  expect((await scan()).turns).toEqual(['closed end_turn']);
});

test('a turn that lies further back than is ever read stays as it was known', async () => {
  const { file, scan } = await directory();
  await writeFile(file(1), tool);
  await scan();
  await appendFile(file(1), line({ type: 'progress', text: 'n'.repeat(1 << 20) }).repeat(9));
  expect((await scan()).turns).toEqual(['open tool:Bash']);
});

test('one session in two folders is the one written last', async () => {
  const { path, file, scan } = await directory();
  await writeFile(file(1), line());
  await mkdir(join(path, 'projects/-other'));
  await writeFile(join(path, 'projects/-other', `${id(1)}.jsonl`), tool.replace('T08', 'T09'));
  expect((await scan()).turns).toEqual(['open tool:Bash']);
});

test('a folder of projects that leads out of the directory is not followed', async () => {
  const { path, scan } = await directory();
  const outside = await mkdtemp(join(tmpdir(), 'nasty-'));
  onTestFinished(() => rm(outside, { recursive: true, force: true }));
  await rm(join(path, 'projects'), { recursive: true });
  await symlink(outside, join(path, 'projects'));
  await mkdir(join(outside, '-r'));
  await writeFile(join(outside, '-r', `${id(1)}.jsonl`), line());
  expect(await scan()).toMatchObject({
    ok: false,
    detail: 'contains a link that points outside; it is not followed',
    transcripts: new Map(),
  });
});

test('a missing directory is not a fault; one that disappears is', async () => {
  const { path, scan } = await directory();
  await scan();
  await rm(path, { recursive: true });
  expect(await scan()).toMatchObject({ ok: false, detail: 'directory not found' });
  const never = new ClaudeSessions({ path: join(path, 'x'), clock: createSettableClock() });
  expect(await never.poll()).toMatchObject({ ok: true, detail: 'directory not found' });
  await writeFile(path, '');
  expect(await scan()).toMatchObject({ ok: false, detail: 'not a directory' });
});

test('an unreadable directory is reported, and known sessions stay', async () => {
  const { path, scan } = await directory();
  await rm(join(path, 'projects'), { recursive: true });
  await symlink('projects', join(path, 'projects'));
  expect(await scan()).toMatchObject({ ok: false, detail: expect.stringMatching(/cannot be read: give the user/) });
});
