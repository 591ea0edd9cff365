import { expect, test } from 'vitest';
import { windowsSide } from './wsl.ts';

const wsl = { WSL_DISTRO_NAME: 'Ubuntu' };
/** The output in WSL 2: the default route, then its own network. */
const routes = `Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
eth0\t00000000\t01901FAC\t0003\t0\t0\t0\t00000000\t0\t0\t0
eth0\t00901FAC\t00000000\t0001\t0\t0\t0\t00F0FFFF\t0\t0\t0
`;

test.each([
  ['Windows is where the default route of WSL leads', wsl, routes, '172.31.144.1'],
  ['without a default route there is no other side', wsl, routes.split('\n').slice(2).join('\n'), null],
  ['outside of WSL there is no other side', {}, routes, null],
  ['what cannot be read is no other side', wsl, '', null],
])('%s', (_title, env, text, address) => {
  expect(windowsSide(env, text)).toBe(address);
});
