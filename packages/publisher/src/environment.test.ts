import { expect, test } from 'vitest';
import { verifies } from '../../../tests/verifies.ts';
import { readSettings } from './environment.ts';

verifies('publisher:default-address', 'a publisher looks for the console on port 5525 of this machine', () => {
  expect(readSettings({})).toMatchObject({ url: 'http://127.0.0.1:5525', owned: false, runId: null, tag: null });
  expect(readSettings({ SIGNALBOX_URL: '' })?.url).toBe('http://127.0.0.1:5525');
});

test.each(['0', 'off', 'OFF', 'false'])('SIGNALBOX=%s turns the publisher off', (word) => {
  expect(readSettings({ SIGNALBOX: word })).toBeNull();
});

test('the environment names console, run, tag, owner, token and session; empty means unset', () => {
  const env = {
    SIGNALBOX_URL: 'http://build-box:7000/',
    SIGNALBOX_RUN_ID: 'Nightly-7',
    SIGNALBOX_RUN_OWNER: 'supervisor',
    SIGNALBOX_RUN_TAG: 'release/tests',
    SIGNALBOX_TOKEN: '',
    CLAUDE_CODE_SESSION_ID: 's-1',
  };
  expect(readSettings(env)).toMatchObject({
    url: 'http://build-box:7000',
    runId: 'nightly-7',
    owned: true,
    tag: 'release/tests',
    token: null,
    session: 's-1',
  });
});

test.each(['CLAUDE_CODE_SESSION_ID', 'CODEX_SESSION_ID', 'COPILOT_AGENT_SESSION_ID'])(
  '%s names the session',
  (name) => {
    expect(readSettings({ [name]: 's-1' })?.session).toBe('s-1');
  },
);

test.each(['../etc', 'nul', 'CON.1', 'nightly.'])('the run id %s, which the console would reject, is ignored', (id) => {
  expect(readSettings({ SIGNALBOX_RUN_ID: id })?.runId).toBeNull();
});

test('an invalid address turns publishing off', () => {
  expect(readSettings({ SIGNALBOX_URL: 'http://' })).toBeNull();
});
