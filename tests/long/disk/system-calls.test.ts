import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { flushedBefore, hasStrace, readTrace } from '../../faults/traced.ts';
import { send } from '../../raw-http.ts';
import { smallRun } from '../../recorded-run.ts';
import { cli } from '../../spawn.ts';
import { caller } from '../../start.ts';

const traced = 'trace=write,writev,pwrite64,pwritev,fdatasync,fsync,sendmsg,openat';

/** The whole service under strace; `stop` ends it and returns its system calls. */
async function startTraced() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-trace-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const file = join(home, 'trace.txt');
  const strace = ['-f', '-y', '-s', '9000', '-e', traced, '-o', file];
  const child = spawn('strace', [...strace, process.execPath, cli, 'start'], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, PORT: '0,0' },
  });
  let out = '';
  const [url, consoleUrl] = await new Promise<[string, string]>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      out += text;
      const found = /coordination\s+(\S+)\n\s+run console\s+(\S+)\n[\s\S]*reference/.exec(out);
      if (found) resolve([found[1] ?? '', found[2] ?? '']);
    });
    child.once('close', () => reject(new Error(`it did not start: ${out}`)));
  });
  return {
    home,
    url,
    consoleUrl,
    async stop(): Promise<string> {
      const ended = new Promise((resolve) => child.once('close', resolve));
      const pid = Number(/^(\d+)\s/.exec(readFileSync(file, 'utf8'))?.[1]);
      process.kill(pid, 'SIGTERM');
      await ended;
      return readFileSync(file, 'utf8');
    },
  };
}

type Step = { marker: string; status: number; ask: () => Promise<{ status: number }> };

test.runIf(hasStrace)(
  'for authoring, claims and ingest the flush comes back before the first byte of the answer',
  async () => {
    const service = await startTraced();
    const call = caller(service.url);
    const console = caller(service.consoleUrl);
    const steps = [1, 2, 3].flatMap((n): Step[] => [
      {
        marker: `marked-plan-${n}`,
        status: 201,
        ask: () => call('POST', '/api/plans', { plan: `marked-plan-${n}`, nodes: [{ id: 'a' }] }),
      },
      {
        marker: `marked-agent-${n}`,
        status: 200,
        ask: () => call('POST', `/api/plans/marked-plan-${n}/nodes/a/claim`, { agent: `marked-agent-${n}` }),
      },
      {
        marker: `marked-run-${n}`,
        status: 202,
        ask: () => console('POST', '/api/ingest', { events: smallRun(`marked-run-${n}`) }),
      },
    ]);
    for (const { ask, status } of steps) expect((await ask()).status).toBe(status);
    // Names that lead elsewhere, to see which files they make the service open.
    for (const name of ['..%2f..%2f..%2fetc%2fpasswd', '%2fetc%2fpasswd', '..%5cx', 'a%00b']) {
      for (const path of [`/api/runs/${name}`, `/api/runs/${name}/export?format=ndjson`, `/api/event-model/${name}`])
        await send(service.consoleUrl, path.includes('event-model') ? 'DELETE' : 'GET', path, { host: 'localhost' });
    }
    const done = readTrace(await service.stop());
    const answers = done.flatMap(({ call: name, path, text }, index) =>
      /^(write|writev|sendmsg)$/.test(name) && path.startsWith('socket') && /HTTP\/1\.1 20[012]/.test(text)
        ? [index]
        : [],
    );
    expect(answers.length).toBeGreaterThanOrEqual(steps.length);
    for (const [index, { marker }] of steps.entries()) {
      expect(flushedBefore(done, marker, answers[index] ?? 0, service.home), `${marker} was flushed first`).toBe(true);
    }
    // The opposite check: if flushes in between were ignored, this test would prove nothing.
    const unflushed = done.filter(({ call: name }) => !/sync/.test(name));
    const last = unflushed.findIndex((one) => one === done[answers[1] ?? 0]);
    expect(flushedBefore(unflushed, 'marked-agent-1', last, service.home)).toBe(false);

    // The files opened since it began to answer: the start itself asks the system for its user.
    const opened = done
      .slice(answers[0])
      .filter(({ call: name }) => name === 'openat')
      .map(({ text }) => text);
    expect(opened.length).toBeGreaterThan(0);
    expect(opened.filter((text) => text.includes('passwd') || text.includes('..'))).toEqual([]);
    const writing = opened.filter((text) => /O_(WRONLY|RDWR|CREAT)/.test(text) && !/"\/dev\/|"\/proc\//.test(text));
    expect(writing.filter((text) => !text.includes(service.home))).toEqual([]);
  },
);
