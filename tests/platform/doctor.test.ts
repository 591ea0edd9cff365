import { expect, test } from 'vitest';
import { provePlatform } from '../../packages/service/src/app/prove-platform.ts';
import { platform, platformOf } from '../../packages/service/src/platform/platform.ts';

const states = async (of = platform) =>
  Object.fromEntries((await provePlatform(of)).map(({ about, state, found }) => [about, { state, found }]));

test('doctor --platform proves the adapter of this system on this machine', async () => {
  const proofs = Object.values(await states());
  expect(proofs.filter(({ state }) => state === 'wrong')).toEqual([]);
  expect(proofs).toHaveLength(14);
});

test.runIf(platform.name === 'Linux')('the way of macOS, with ps and lsof, holds on this machine too', async () => {
  const proofs = await states(platformOf('darwin'));
  expect(proofs['process start time']).toMatchObject({ state: 'ok' });
  expect(proofs['live process by pid and start time']).toMatchObject({ state: 'ok' });
  expect(proofs['open file and working directory of a process']).toEqual({ state: 'ok', found: 'both found' });
});

test('an adapter without data causes a warning, never a wrong answer', async () => {
  const proofs = await states(platformOf('win32'));
  expect(proofs['process start time']).toMatchObject({ state: 'warning' });
  expect(proofs['open file and working directory of a process']).toMatchObject({ state: 'warning' });
});
