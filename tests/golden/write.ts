import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { host, specs } from '../../packages/event-model/testing/wallets.ts';
import packageFile from '../../packages/service/package.json' with { type: 'json' };
import { createSettableClock } from '../../testing/settable-clock.ts';
import { wholeRun } from '../hosts/whole-run.ts';
import { type Started, start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { servedBy, settings } from './served.ts';

// Run once for each release, as: node tests/golden/write.ts. Writes a data path that contains something of every kind,
// and the answers that are served from it. Existing files are never written again, because they show the format of that
// release.
const folder = join(import.meta.dirname, packageFile.version);
if (existsSync(folder)) throw new Error(`${folder} is there, and stays as it is.`);
const home = mkdtempSync(join(tmpdir(), 'signalbox-golden-'));
const clock = createSettableClock();
const service = await start({ home, settings, clock });
await fill(service);
await service.stop();
cpSync(service.dataPath, join(folder, 'data'), {
  recursive: true,
  filter: (path) => !/\.signalbox\/(lock\.sqlite|owner\.json|host\.json)/.test(path),
});
const again = await start({ home, settings, clock: createSettableClock(clock.wall()) });
writeFileSync(join(folder, 'served.json'), `${JSON.stringify(await servedBy(again), null, 1)}\n`);
await again.stop();
rmSync(home, { recursive: true });
process.exit();

async function fill({ call, console, clock, url }: Started): Promise<void> {
  const must = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer;
    if (status >= 300) throw new Error(`${status} ${text}`);
  };
  await must(
    call('POST', '/api/plans?by=ada', { plan: 'platform', nodes: [{ id: 'sdk', binding: { kind: 'signOff' } }] }),
  );
  await must(
    call('POST', '/api/plans?by=ada', {
      plan: 'checkout',
      title: 'Checkout 2.0 – Ünïcode',
      description: 'With *Markdown*.',
      repository: 'acme/shop',
      nodes: [
        { id: 'parser', title: 'Prices', labels: ['backend'], estimateMinutes: 90, binding: { kind: 'suite' } },
        { id: 'broken', binding: { kind: 'suite' } },
        { id: 'page', dependsOn: ['parser', 'platform/sdk', 'elsewhere/missing'] },
        { id: 'gone' },
      ],
    }),
  );
  await must(call('POST', '/api/plans', { plan: 'old', nodes: [{ id: 'n' }] }));
  await must(call('DELETE', '/api/plans/old?by=bob'));
  await must(call('PUT', '/api/plans/checkout/nodes/page?by=bob', { title: 'The page', estimateMinutes: 30 }));
  await must(call('DELETE', '/api/plans/checkout/nodes/gone'));
  await must(call('POST', '/api/plans/platform/nodes/sdk/sign-off?by=grace', { note: 'fine' }));
  await must(call('POST', '/api/plans/checkout/nodes/page/claim', { agent: 'eve', leaseMinutes: 60, session: 's-1' }));
  await must(call('POST', '/api/plans/checkout/nodes/page/report', { agent: 'eve', note: 'half of the prices' }));
  await must(call('POST', '/api/plans/checkout/nodes/broken/claim', { agent: 'mallory' }));
  await must(call('POST', '/api/plans/checkout/nodes/broken/release', { agent: 'mallory' }));
  const tools = await newMcpClient(url);
  const repository = { owner: 'acme', name: 'shop' };
  await tools.callTool({ name: 'register_repository', arguments: { ...repository, description: 'The shop' } });
  await tools.callTool({ name: 'note_repository', arguments: { ...repository, topic: 'prices', text: 'in cents' } });
  await tools.close();
  for (const [source, body] of Object.entries({ host, specs })) {
    await must(console('PUT', `/api/event-model/${source}`, body));
  }
  const passed = wholeRun('passed', 'Wallet/crediting adds funds', 'CleanPass', {
    tag: 'checkout/parser',
    branch: 'main',
  });
  const failed = wholeRun('failed', 'Cart/total', 'Failed', { tag: 'checkout/broken' });
  for (const events of [passed, failed]) await must(console('POST', '/api/ingest', { events }));
  for (let turn = 0; turn < 3; turn += 1) {
    clock.advance(60_000);
    await clock.tick();
  }
}
