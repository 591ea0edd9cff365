import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAgentHome, finalAnswer, toolUse } from '../agents/agent-home.ts';
import { gitIn, gitRepository, gitWorktree } from '../agents/git-repository.ts';
import { serve } from './browser.ts';
import { finish, ingest, runEvents } from './seed.ts';

const suite = (name: string) => ({ binding: { kind: 'suite', suite: name } });

/** A service with every kind of need; sessions are real processes that look like Claude Code's. */
export async function serveNeeds() {
  const scene = await createAgentHome();
  const service = await serve({ settings: { SessionsPath: scene.config, HostName: 'box' } });
  const shop = join(scene.root, 'shop');
  gitRepository(shop, 'acme/shop');
  const billing = await scene.repository('billing', 'acme/billing');
  const worktree = gitWorktree(shop, 'lease-table');
  gitIn(worktree)('commit', '-q', '--allow-empty', '-m', 'Keep leases in a table');
  writeFileSync(join(worktree, 'leases.sql'), '');
  writeFileSync(join(worktree, '.gitignore'), '.env\n');
  gitIn(worktree)('add', '.gitignore');
  gitIn(worktree)('commit', '-q', '--amend', '--no-edit');
  writeFileSync(join(worktree, '.env'), 'STRIPE_KEY=none\n');
  await service.call('POST', '/api/plans', {
    plan: 'checkout',
    title: 'Checkout 2.0',
    repository: 'acme/shop',
    nodes: [
      { id: 'lexer', title: 'Rewrite the lexer', ...suite('lexer') },
      { id: 'parser', title: 'Rewrite the price parser', ...suite('parser') },
      { id: 'rounding', title: 'Round like a bank', ...suite('rounding') },
      { id: 'totals', title: 'Totals', dependsOn: ['rounding'], ...suite('totals') },
    ],
  });
  const gate = { id: 'gate', title: 'All prices are right', ...suite('shop.specs') };
  await service.call('POST', '/api/plans', { plan: 'prices', title: 'Prices', nodes: [gate] });
  const open = async (number: number, cwd: string) => {
    const session = await scene.session(number, cwd);
    await session.reportStatus('busy');
    await session.appendRecord(toolUse('Bash'));
    return session;
  };
  const waits = await open(1, shop);
  const killed = await open(2, shop);
  const idle = await open(3, shop);
  const busy = await open(4, billing);
  const sessionsOnBoard = async () => (await service.call('GET', '/api/agents')).body.sessions.length as number;
  while ((await sessionsOnBoard()) < 4) await service.call('POST', '/api/agents/hooks', {});
  const claim = (node: string, agent: string, session: string) =>
    service.call('POST', `/api/plans/checkout/nodes/${node}/claim`, { agent, session });
  await claim('lexer', 'sonnet-moss', killed.sessionId);
  await claim('parser', 'haiku-fjord', idle.sessionId);
  await ingest(service, [...runEvents(3), finish()]);
  const live = runEvents(3, 'a9c2e1d0-0000-4000-8000-000000000005');
  await ingest(
    service,
    live.map((event) => ('suite' in event ? { ...event, suite: 'e2e' } : event)),
  );
  await waits.reportStatus('waiting', { waitingFor: 'permission prompt' });
  await killed.kill();
  await idle.reportStatus('idle');
  await idle.appendRecord(finalAnswer);
  return {
    service,
    scene,
    waits,
    busy,
    worktree,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await scene[Symbol.asyncDispose]();
    },
  };
}
