import type { Announcement, MessageData } from '../../kernel/messages.ts';
import type { ContestedTree, Notification, WorkSnapshot } from './ports.ts';

/**
 * Selects what is worth a person's attention, each thing once: a claim until there is another claim, a run until it
 * runs again, a node or tree until its condition ended.
 */
export class NotificationSelector {
  /** Ref to the fence of the claim already notified. */
  readonly #orphaned = new Map<string, number>();
  readonly #failed = new Map<string, string>();
  #ready: ReadonlySet<string> | null = null;
  #contested: ReadonlySet<string> = new Set();
  #restoredAt = '';

  /** Notifications that follow from one hub message. */
  fromMessage(message: Announcement, at: string): Notification[] {
    if (message.type === 'reset') this.#forgetNews(at);
    if (message.type === 'claim_changed') return this.#claim(message.data, at);
    return message.type === 'run_changed' ? this.#run(message.data, at) : [];
  }

  /** The history was replaced: what it brings back is older than that, and was sent before. */
  #forgetNews(at: string): void {
    this.#restoredAt = at;
    this.#ready = null;
  }

  /** Notifications that follow from the current state. The first call only remembers it. */
  fromSnapshot({ ready, contested }: WorkSnapshot, at: string): Notification[] {
    const before = this.#ready;
    const trees = this.#contested;
    this.#ready = new Set(ready.map(({ plan, node }) => `${plan}/${node}`));
    this.#contested = new Set(contested.map(treeKeyOf));
    if (before === null) return [];
    const unblocked = ready
      .filter(({ dependsOn }) => dependsOn.length > 0)
      .map(({ plan, node }) => `${plan}/${node}`)
      .filter((ref) => !before.has(ref));
    const newlyContested = contested.filter((tree) => !trees.has(treeKeyOf(tree)));
    return [
      ...unblocked.map((ref) =>
        notificationOf('node_unblocked', ref, `${ref} is ready: nothing blocks it any more.`, at),
      ),
      ...newlyContested.map(({ root, live }) => {
        const who = live > 1 ? `${live} live sessions work` : 'Two processes of one session work';
        return notificationOf('tree_contested', root, `${who} in ${root}.`, at);
      }),
    ];
  }

  #claim({ plan, node, claim }: MessageData<'claim_changed'>, at: string): Notification[] {
    const ref = `${plan}/${node}`;
    if (claim?.health !== 'orphaned') {
      this.#orphaned.delete(ref);
      return [];
    }
    if (this.#orphaned.get(ref) === claim.fence) return [];
    this.#orphaned.set(ref, claim.fence);
    const why = claim.reason === null ? '' : ` (${claim.reason})`;
    return [
      notificationOf(
        'claim_orphaned',
        ref,
        `${claim.agent} holds ${ref}, but the session behind it is gone${why}.`,
        at,
      ),
    ];
  }

  #run({ run }: MessageData<'run_changed'>, at: string): Notification[] {
    const { runId, suite, branch, state, failed, indeterminate, lost, scenarios } = run;
    const missing = lost + indeterminate;
    // Null for a live run, and for one that is not counted yet: it is announced again once it is.
    if (run.green !== false) {
      this.#failed.delete(runId);
      return [];
    }
    if (this.#failed.get(runId) === state) return [];
    this.#failed.set(runId, state);
    if ((run.endedAt ?? run.receivedAt ?? at) < this.#restoredAt) return [];
    const name = branch === null ? suite : `${suite} on ${branch}`;
    const counts =
      failed + missing > 0 || run.exitCode === 0
        ? `${failed} failed, ${missing} without a verdict, of ${scenarios}`
        : `exit code ${run.exitCode ?? 'unknown'}`;
    const text =
      state === 'orphaned'
        ? `${name} is orphaned: its publisher stopped sending (${counts}).`
        : `${name} failed: ${counts}.`;
    return [notificationOf('run_failed', runId, text, at)];
  }
}

/** Hosts of a team often have their clones at the same path. */
const treeKeyOf = ({ host, root }: ContestedTree): string => `${host} ${root}`;

const notificationOf = (type: Notification['type'], subject: string, text: string, at: string): Notification => ({
  type,
  subject,
  text,
  at,
});
