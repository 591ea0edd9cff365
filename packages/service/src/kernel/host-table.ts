/** Something that one host observed, as the others are to show it: replaced when it changes, never history. */
export type SharedItem = { kind: string; id: string; body: object };
export type ItemKey = Pick<SharedItem, 'kind' | 'id'>;

/** A host as it enters. `life` is one start of it; `home` its data path, which one process at a time has. */
export type HostRegistration = {
  name: string;
  life: string;
  home: string;
  place: string;
  machine: string;
  pid: number;
};

/** The living host in whose way another would be: it has the name, or the same data path. */
export type HostConflict = Pick<HostRegistration, 'life' | 'machine' | 'pid'> & {
  takenBy: string;
  sameHome: boolean;
  heardAt: string;
  silentMs: number;
};

/** One other host. `changed` are its items that are newer than what the asker knows; `items` is how many it has in all. */
export type HostRow = {
  key: string;
  name: string;
  url: string | null;
  revision: number;
  items: number;
  /** Since its last sign of life, by the database's clock. */
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

/** Where hosts that share a store tell each other what they observe. Throws while the store is away. */
export type HostTable = {
  /** Takes the name, unless a living host has it or the data path. `deadLife` is known to be over. */
  enter(me: HostRegistration, deadLife?: string): Promise<HostConflict | null>;
  /** Gives the name back, so that it need not be waited for. What was shared stays as it is. */
  leave(me: Pick<HostRegistration, 'name' | 'life'>): Promise<void>;
  /** A sign of life, with what has changed. False: this life does not have the name any more. */
  share(news: HostUpdate): Promise<boolean>;
  /** All hosts but `self`, each with what is newer than the revision known of it. */
  read(self: string, knownRevisions: Readonly<Record<string, number>>): Promise<readonly HostRow[]>;
  /** Everything that a host shares, by name only. */
  keysOf(host: string): Promise<readonly ItemKey[]>;
  itemsOf(host: string): Promise<readonly SharedItem[]>;
  /** Removes hosts that nobody has heard of for so long. */
  forget(silentMs: number): Promise<void>;
  /** Called when another host has shared something. A hint. */
  onShared(listener: () => void): () => void;
};

/** A host not heard of for this long is away. */
export const awayAfterMs = 30_000;

/** Names are told apart without regard to case. */
export const hostKey = (name: string): string => name.toLowerCase();
