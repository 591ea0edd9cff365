/** What a person is told. `subject` is the ref, run id or root that it is about. */
export type Notification = {
  type: 'claim_orphaned' | 'tree_contested' | 'node_unblocked' | 'run_failed';
  subject: string;
  /** One sentence, ready for a chat. */
  text: string;
  at: string;
};

/** Takes notifications to their address in its own time: it never waits, never throws. */
export type Messenger = { send(notification: Notification): void; stop(): void };

/** What stands now; asked for at intervals, and only after something moved. */
export type Outlook = { ready: readonly ReadyNode[]; contested: readonly ContestedTree[] };
export type ReadyNode = { plan: string; node: string; dependsOn: readonly string[] };
/** `live` is how many of its sessions live; one that two processes serve contests a tree by itself. */
export type ContestedTree = { host: string; root: string; live: number };
