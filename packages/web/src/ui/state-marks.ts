import type { Tone } from './appearance.tsx';

/** A state as a shape, for places without room for its word or icon. */
export const stateMarks: Record<Tone, string> = {
  done: '✓',
  ready: '○',
  active: '▶',
  warn: '‖',
  orphan: '↯',
  fail: '✕',
  blocked: '–',
  indet: '?',
  handed: '↑',
};
