/** Something that one host observed and other hosts should show: replaced when it changes, never part of the history. */
export type SharedItem = { kind: string; id: string; body: object };
export type ItemKey = Pick<SharedItem, 'kind' | 'id'>;

/** A host that registers. `life` identifies one start of it; `home` is its data path, which only one process uses at a time. */
export type HostRegistration = {
  name: string;
  life: string;
  home: string;
  place: string;
  machine: string;
  pid: number;
};

/** The live host that conflicts with the new one (same name or data path). */
export type HostConflict = Pick<HostRegistration, 'life' | 'machine' | 'pid'> & {
  takenBy: string;
  sameHome: boolean;
  heardAt: string;
  silentMs: number;
};

/** One other host. `changed` are the items that are newer than what the caller knows; `items` is the total. */
export type HostRow = {
  key: string;
  name: string;
  url: string | null;
  revision: number;
  items: number;
  /** Since its last heartbeat, by the database's clock. */
  silentMs: number;
  changed: readonly SharedItem[];
};

export type HostUpdate = {
  host: string;
  life: string;
  url: string | null;
  changed: readonly SharedItem[];
  gone: readonly ItemKey[];
};

/** Where hosts that share a store publish what they observe. Throws while the store is unreachable. */
export type HostTable = {
  /** Registers the name, unless a live host uses it or the data path. `deadLife` is known to have ended. */
  enter(me: HostRegistration, deadLife?: string): Promise<HostConflict | null>;
  /** Frees the name, so that nobody has to wait for it. Shared items stay. */
  leave(me: Pick<HostRegistration, 'name' | 'life'>): Promise<void>;
  /** Sends a heartbeat with changes. Returns false if this process no longer owns the name. */
  share(news: HostUpdate): Promise<boolean>;
  /** All hosts except `self`, each with the items newer than its known revision. */
  read(self: string, knownRevisions: Readonly<Record<string, number>>): Promise<readonly HostRow[]>;
  /** Everything that a host shares, by name only. */
  keysOf(host: string): Promise<readonly ItemKey[]>;
  itemsOf(host: string): Promise<readonly SharedItem[]>;
  /** Removes hosts that have been silent for this long. */
  forget(silentMs: number): Promise<void>;
  /** Called when another host may have shared something. */
  onShared(listener: () => void): () => void;
};

/** A host silent for this long counts as unreachable. */
export const awayAfterMs = 30_000;

/** If a clock differs more than this from the database's, `doctor` lists it. */
export const clockNoticeMs = 2_000;
/** If a clock differs more than this from the database's, a person is needed. */
export const clockNeedMs = 60_000;

/** Names are compared case-insensitively. */
export const hostKey = (name: string): string => name.toLowerCase();
