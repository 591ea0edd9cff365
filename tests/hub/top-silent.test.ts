import { expect, test } from 'vitest';
import { openProxy } from '../client/proxy.ts';
import { signalbox } from '../spawn.ts';
import { start } from '../start.ts';

test('top shows that a service went silent without an end of the connection', async () => {
  await using service = await start();
  await using proxy = await openProxy(service.url);
  await using top = signalbox(['top', '--lines', '--url', proxy.url]);
  await top.says(/signalbox live/);
  proxy.losesAnswers = true;
  await expect.poll(() => top.out()).toContain('signalbox no answer since');
  proxy.losesAnswers = false;
  const before = top.out().length;
  await expect.poll(() => top.out().slice(before)).toContain('signalbox live');
});
