import { expect, test } from 'vitest';
import type { Need, Needs } from '../coordination/needs/contract.ts';
import { promptText } from './prompt-line.ts';

const now = Date.parse('2026-01-01T12:00:00Z');
const counts: Needs['counts'] = { sessions: 0, waiting: 0, claimed: 0, troubledClaims: 0, ready: 0, liveRuns: 0 };
const need = { kind: 'node_failed', key: 'a', title: 'b', detail: 'c' } as Need;
const lexer = { ref: 'checkout/lexer', title: 'Lexer', expiresAt: '2026-01-01T12:12:30Z' };
const text = (needs: Need[], claims?: Needs['claims']) => promptText({ needs, counts, claims }, now);

test('a prompt names the claim that ends first, the number of others, and the number of needs', () => {
  expect(text([need, need], [lexer])).toBe('checkout/lexer 12 min left, 2 need you');
  expect(text([], [lexer, lexer, lexer])).toBe('checkout/lexer 12 min left +2');
  expect(text([need])).toBe('1 needs you');
  expect(text([], [{ ...lexer, expiresAt: '2026-01-01T12:00:20Z' }])).toBe('checkout/lexer ends now');
});

test('a prompt is empty if nothing is held and nothing needs a person', () => {
  expect(text([])).toBe('');
});
