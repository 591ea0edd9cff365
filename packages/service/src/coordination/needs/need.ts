import type { Need, NeedKind } from './contract.ts';

export const about = (kind: NeedKind, key: string, title: string, detail: string, more: Partial<Need>): Need => ({
  since: null,
  host: null,
  agent: null,
  who: null,
  possibly: false,
  ref: null,
  sessionId: null,
  tool: null,
  runId: null,
  root: null,
  url: null,
  command: null,
  ...more,
  kind,
  key: `${kind} ${key}`,
  title,
  detail,
});
