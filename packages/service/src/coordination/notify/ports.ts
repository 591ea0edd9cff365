/** A message for a person. `subject` is the ref, run id or root that it is about. */
export type Notification = {
  type: 'claim_orphaned' | 'tree_contested' | 'node_unblocked' | 'run_failed';
  subject: string;
  /** One sentence, ready for a chat. */
  text: string;
  at: string;
};

/** Delivers notifications in the background: never waits, never throws. */
export type NotificationSender = { send(notification: Notification): void; stop(): void };

/** The current ready nodes and contested trees; read at intervals, and only after a change. */
export type WorkSnapshot = { ready: readonly ReadyNode[]; contested: readonly ContestedTree[] };
export type ReadyNode = { plan: string; node: string; dependsOn: readonly string[] };
/** `live` is the number of its live sessions; a single session served by two processes also contests a tree. */
export type ContestedTree = { host: string; root: string; live: number };
