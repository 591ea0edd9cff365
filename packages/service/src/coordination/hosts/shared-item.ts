import type { SharedItem } from '../../kernel/host-table.ts';
import type { SharedByKind, SharedKind } from './contract.ts';

type ItemOf<Kind extends SharedKind> = { [K in Kind]: { kind: K; id: string; body: SharedByKind[K] } }[Kind];

/** The stored items of another host, by kind and id. */
export type SharedItems = { [K in SharedKind]: Map<string, SharedByKind[K]> };

export const noItems = (): SharedItems => ({
  session: new Map(),
  tree: new Map(),
  changes: new Map(),
  run: new Map(),
  verdict: new Map(),
  tests: new Map(),
  model: new Map(),
  clone: new Map(),
  host: new Map(),
});

/** A member that every body of the kind has. */
const subjectOf = {
  session: 'sessionId',
  tree: 'root',
  changes: 'paths',
  run: 'run',
  verdict: 'identity',
  tests: 'verdicts',
  model: 'name',
  clone: 'repository',
  host: 'name',
} as const satisfies Record<SharedKind, string>;
const subjects = new Map<string, string>(Object.entries(subjectOf));

const isKind = (word: string): word is SharedKind => word in subjectOf;
export const sharedKinds: readonly SharedKind[] = Object.keys(subjectOf).filter(isKind);

/** The only place where items shared by another host get their type. A host of a later version may share unknown kinds. */
export const isSharedItem = (item: SharedItem): item is ItemOf<SharedKind> =>
  (subjects.get(item.kind) ?? '') in item.body;

export const keepItem = <Kind extends SharedKind>(items: SharedItems, { kind, id, body }: ItemOf<Kind>): void =>
  void items[kind].set(id, body);
