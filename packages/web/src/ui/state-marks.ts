import type { Tone } from './appearance.tsx';

/** A state by its shape, where there is no room for its word or icon. */
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
