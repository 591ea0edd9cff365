import { expect, test } from 'vitest';
import type { Me } from '../../live/wire.ts';
import { commandsFor } from './pasted-commands.ts';

const me: Me = {
  name: null,
  kind: 'local',
  scopes: ['read'],
  tokenAsked: false,
  cli: '/usr/bin/node /opt/signalbox/bin.js',
  consoleUrl: 'http://localhost:5525',
  serviceUrl: 'http://localhost:5526',
};
const usual = { origin: 'http://localhost:5526', hostname: 'localhost' };

test('on its own machine a command starts this installation, and names no address that is the usual one', () => {
  expect(commandsFor(me, usual).run).toBe('/usr/bin/node /opt/signalbox/bin.js run -- npm test');
  expect(commandsFor(me, usual).connect).toBe('/usr/bin/node /opt/signalbox/bin.js connect');
});

test('other ports are named', () => {
  const elsewhere = { origin: 'http://localhost:7001', hostname: 'localhost' };
  const commands = commandsFor({ ...me, consoleUrl: 'http://localhost:7000' }, elsewhere);
  expect(commands.run).toContain('run --url http://localhost:7000 --');
  expect(commands.connect).toContain('connect --url http://localhost:7001');
});

test('from another machine the path of the installation means nothing; a token is named where one is asked for', () => {
  const team = { origin: 'https://box.example:5526', hostname: 'box.example' };
  const commands = commandsFor({ ...me, tokenAsked: true }, team);
  expect(commands.connect).toBe('signalbox connect --url https://box.example:5526');
  expect(commands.mcp).toContain('Bearer $SIGNALBOX_TOKEN');
});

test('nothing is ever fetched by its name from a registry', () => {
  expect(Object.values(commandsFor(undefined, usual)).join()).not.toContain('npx');
});
