import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openProxy } from '../../client/proxy.ts';
import { cloneIn, register } from '../../evidence-clone.ts';
import { startGitHub } from '../../github-server.ts';
import { randomOf, seedOfRun } from '../../random.ts';
import { recordFigure, rounds } from '../../rounds.ts';
import { startedProcess } from '../../spawn.ts';
import { caller } from '../../start.ts';
import { verifies } from '../../verifies.ts';
import { entriesOf, executionsOf, note } from './fleet/ledger.ts';

const nodes = rounds(72, 200);
/** Alternating kills of a worker process and of the service. */
const kills = rounds(4, 24);
const processes = 6;
const poisonTries = 2;
const here = join(import.meta.dirname, 'fleet');

const kinds = [
  () => ({ kind: 'suite' }),
  () => ({ kind: 'suite' }),
  () => ({ kind: 'signOff' }),
  () => ({ kind: 'commit' }),
  (n: number) => ({ kind: 'issue', issue: `acme/shop#${n}` }),
  (n: number) => ({ kind: 'pullRequest', pullRequest: `acme/shop#${n}` }),
  (n: number) => ({ kind: 'pullRequest', repository: 'acme/shop', branch: `node/n${n}` }),
  (n: number) => ({ kind: 'package', registry: 'npm', name: 'never-published', version: `1.0.${n}` }),
  (n: number) => ({ kind: 'dependency', repository: 'acme/shop', name: 'never-needed', version: `1.0.${n}` }),
  () => null,
] as const;
type Bound = { kind: string; issue?: string; pullRequest?: string; branch?: string } | null;

const nodeOf = (number: number) => {
  const binding = kinds[number % kinds.length]?.(number) ?? null;
  // A node that is proven by its suite at once makes the next layer ready.
  const isLayered = number >= 20 && binding?.kind === 'suite';
  const isPoison = number % 37 === 5;
  return {
    id: `n${number}`,
    ...(binding && { binding }),
    ...(isLayered && { dependsOn: [`n${number - 10}`] }),
    ...(isPoison && { labels: ['poison'], maxAttempts: poisonTries }),
  };
};

type NodeView = {
  ref: string;
  status: string;
  labels?: string[];
  binding: Bound;
  claimedBy: string | null;
  attempts: { failed: number };
  parked?: string | null;
};

const hasPython = (() => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

verifies(
  ['submit:each-node-once', 'worker:hands-in', 'claim:exactly-one-wins', 'stop:sigkill-loses-nothing'],
  `${processes} worker processes of one name and 4 REST threads do ${nodes} nodes of every binding once, through ${kills} kills of workers and of the service`,
  async ({ skip }) => {
    if (!hasPython) skip('python3 is not installed');
    const seed = seedOfRun();
    const random = randomOf(seed);
    const home = mkdtempSync(join(tmpdir(), 'signalbox-fleet-'));
    const ledger = join(home, 'ledger.ndjson');
    writeFileSync(ledger, '');
    await using github = await startGitHub({ wall: Date.now });
    const { folder, git, write } = cloneIn(home);
    write('README.md', 'shop');
    git('commit', '-qm', 'first');
    const settings = {
      Service__GitHubUrl: github.url,
      Service__GitHubToken: 'secret',
      Service__ObserveSeconds: '2',
      Service__MaxAttempts: '100',
    };
    let service = await startedProcess(settings, [], home);
    await using proxy = await openProxy(service.url);
    await using consoleProxy = await openProxy(service.consoleUrl);
    const children = new Set<ChildProcess>();
    const launch = (program: string, script: string) => {
      const args = [join(here, script), proxy.url, consoleProxy.url, ledger];
      const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'inherit'] });
      children.add(child);
      child.once('exit', () => children.delete(child));
      return child;
    };
    const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve));
    const call: ReturnType<typeof caller> = (...args) => caller(service.url)(...args);
    const views = async (): Promise<NodeView[]> => (await call('GET', '/api/plans/fleet/status')).body.nodes;
    const begun = () => entriesOf(ledger).filter(({ what }) => what === 'begun').length;
    const until = (isSo: () => boolean | Promise<boolean>) =>
      expect.poll(isSo, { timeout: 600_000, interval: 50 }).toBe(true);

    try {
      await register(service, folder);
      for (let number = 0; number < nodes; number += 1) {
        const { binding } = nodeOf(number);
        if (binding?.kind === 'issue') github.set(number, { state: 'open' });
        if (binding?.kind === 'pullRequest')
          github.set(number, { state: 'open', pull: true, branch: `node/n${number}` });
      }
      const document = {
        plan: 'fleet',
        repository: 'acme/shop',
        nodes: Array.from({ length: nodes }, (_, n) => nodeOf(n)),
      };
      const created = await call('POST', '/api/plans', document);
      expect(created.status, created.text).toBe(201);

      const workers = Array.from({ length: processes }, () => launch(process.execPath, 'worker.ts'));
      const threads = launch('python3', 'threads.py');
      for (let kill = 0; kill < kills; kill += 1) {
        const share = Math.floor(((kill + 1) * nodes * 0.8) / (kills + 1));
        await until(() => begun() >= share + random.below(3));
        if (kill % 2 === 0) {
          const at = random.below(processes);
          const victim = workers[at] as ChildProcess;
          const gone = ended(victim);
          victim.kill('SIGKILL');
          await gone;
          note(ledger, { what: 'killed', pid: victim.pid as number });
          workers[at] = launch(process.execPath, 'worker.ts');
        } else {
          service.child.kill('SIGKILL');
          await service.ended;
          service = await startedProcess(settings, [], home);
          proxy.target = service.url;
          consoleProxy.target = service.consoleUrl;
        }
      }

      // What a person or another system proves after the submission.
      const trailers = new Set<string>();
      const proveByHand = async ({ ref, binding, status }: NodeView) => {
        if (status !== 'submitted' || !binding) return;
        const number = Number(ref.slice('fleet/n'.length));
        if (binding.kind === 'signOff') await call('POST', `/api/plans/fleet/nodes/n${number}/sign-off`, { by: 'ida' });
        if (binding.kind === 'issue') github.set(number, { state: 'closed' });
        if (binding.kind === 'pullRequest')
          github.set(number, { state: 'closed', pull: true, merged: true, branch: `node/n${number}` });
        if (binding.kind === 'commit') trailers.add(`Plan-Node: ${ref}`);
      };
      const isThrough = ({ status, parked, labels, claimedBy }: NodeView) =>
        claimedBy === null &&
        (labels?.includes('poison') && parked === 'attempts' ? true : status === 'done' || status === 'submitted');
      await until(async () => (await views()).every(isThrough));
      for (const view of await views()) await proveByHand(view);
      git('commit', '-q', '--allow-empty', '-m', `Work\n\n${[...trailers].join('\n')}`);
      const neverProven = new Set(['package', 'dependency', 'unbound']);
      const isSettled = (view: NodeView) => {
        const kind = view.binding?.kind ?? 'unbound';
        if (view.parked === 'attempts') return true;
        return view.status === (neverProven.has(kind) ? 'submitted' : 'done');
      };
      await until(async () => (await views()).every(isSettled));

      const stopping = [...workers, threads].map(ended);
      for (const worker of workers) worker.kill('SIGTERM');
      threads.stdin?.end();
      await Promise.all(stopping);

      const entries = entriesOf(ledger);
      const { begun: times, killed, wrong } = executionsOf(entries);
      expect(wrong, `seed ${seed}`).toEqual([]);
      const all = await views();
      const { body: history } = await call('GET', '/api/plans/fleet/history?only=claims&limit=5000');
      const claims = (history as { type: string; data: { id: string; fence: number } }[])
        .filter(({ type }) => type === 'node_claimed')
        .map(({ data: { id, fence } }) => ({ ref: `fleet/${id}`, fence }));
      const hasBegun = new Set(
        entries.filter(({ what }) => what === 'begun').map(({ ref, fence }) => `${ref} ${fence}`),
      );
      const odd = all.flatMap(({ ref, labels, attempts }) => {
        const ran = times.get(ref) ?? 0;
        const said = `${ref} ran ${ran} times, killed ${killed.get(ref) ?? 0} times, ${attempts.failed} failed`;
        if (!labels?.includes('poison')) return ran < 1 || ran > 1 + (killed.get(ref) ?? 0) ? [said] : [];
        // A worker was killed between the answer to its claim and its first line in the ledger: the lease ran out.
        const unbegun = claims.filter((claim) => claim.ref === ref && !hasBegun.has(`${ref} ${claim.fence}`)).length;
        return ran + unbegun !== poisonTries || attempts.failed !== poisonTries
          ? [`${said}, ${unbegun} not begun`]
          : [];
      });
      expect(odd, `seed ${seed}`).toEqual([]);

      const known = new Set(claims.map(({ ref, fence }) => `${ref} ${fence}`));
      const lost = entries.filter(({ what, ref, fence }) => what !== 'killed' && !known.has(`${ref} ${fence}`));
      expect(lost, `answered claims that the history does not have, seed ${seed}`).toEqual([]);
      const again = [...times.values()].reduce((sum, ran) => sum + ran, 0) - all.length;
      recordFigure(
        'R1',
        `fleet of ${processes} processes and 4 Python threads: ${nodes} nodes, ${kills} kills, ${again} executions more than nodes, none with two holders, seed ${seed}`,
      );
      process.stdout.write(`fleet: ${nodes} nodes, ${kills} kills, ${entries.length} entries, ${again} again\n`);
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await service[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    }
  },
  3_600_000,
);
