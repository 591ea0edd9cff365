import { expect, test } from 'vitest';
import { sessionClaimSample, sessionSample, treeSample } from '../../../../tests/samples.ts';
import type { Board } from '../coordination/agents/contract.ts';
import { boardText } from './agents-command.ts';

const empty: Board = { sessions: [], trees: [], unlinkedClaims: [], ambiguous: [], observedAt: null, sources: [] };
const session = sessionSample({ claims: [sessionClaimSample()] });

test('the board is printed as tables that mark what needs attention', () => {
  const observedAt = '2026-01-01T10:05:00.000Z';
  const sources = [{ tool: 'codex', path: '/c', ok: false, detail: 'cannot be read' }];
  const text = boardText({ ...empty, sessions: [session], trees: [treeSample()], observedAt, sources });
  expect(text).toMatch(
    /running \(waiting\) +\S+01 +waiting:permission prompt +1h 5m +acme\/shop +main +p\/a held, ada/,
  );
  expect(text).toContain('contested: 2 sessions');
  expect(text).toContain('! codex /c: cannot be read');
});

test('an empty board explains how sessions appear', () => {
  expect(boardText(empty)).toContain('No sessions seen');
});
