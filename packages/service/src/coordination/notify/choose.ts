import type { Announcement } from '../../kernel/announce.ts';
import type { ContestedTree, Notification, Outlook } from './ports.ts';

type ClaimData = {
  plan: string;
  node: string;
  claim: { agent: string; health: string; reason: string | null; fence?: number; claimedAt?: string } | null;
};
type RunData = {
  run: {
    runId: string;
    suite: string;
    branch: string | null;
    state: string;
    exitCode: number | null;
    failed: number;
    indeterminate: number;
    lost: number;
    scenarios: number;
  };
};

/**
 * Chooses what is worth a person's attention. Everything is told once: a claim until it is another claim, a run until it
 * is heard of again, a node or tree until it stopped being so.
 */
export class Chooser {
  readonly #orphaned = new Map<string, string>();
  readonly #failed = new Map<string, string>();
  #ready: ReadonlySet<string> | null = null;
  #contested: ReadonlySet<string> = new Set();

  /** From a message of the feed. */
  heard({ type, data }: Announcement, at: string): Notification[] {
    if (type === 'claim_changed') return this.#claim(data as ClaimData, at);
    return type === 'run_changed' ? this.#run(data as RunData, at) : [];
  }

  /** From how things stand. The first look only remembers. */
  looked({ ready, contested }: Outlook, at: string): Notification[] {
    const before = this.#ready;
    const trees = this.#contested;
    this.#ready = new Set(ready.map(({ plan, node }) => `${plan}/${node}`));
    this.#contested = new Set(contested.map(placeOf));
    if (before === null) return [];
    const unblocked = ready
      .filter(({ dependsOn }) => dependsOn.length > 0)
      .map(({ plan, node }) => `${plan}/${node}`)
      .filter((ref) => !before.has(ref));
    const fresh = contested.filter((tree) => !trees.has(placeOf(tree)));
    return [
      ...unblocked.map((ref) => tell('node_unblocked', ref, `${ref} can be started: nothing blocks it any more.`, at)),
      ...fresh.map(({ root, live }) => {
        const who = live > 1 ? `${live} live sessions work` : 'Two processes of one session work';
        return tell('tree_contested', root, `${who} in ${root}.`, at);
      }),
    ];
  }

  #claim({ plan, node, claim }: ClaimData, at: string): Notification[] {
    const ref = `${plan}/${node}`;
    if (claim?.health !== 'orphaned') {
      this.#orphaned.delete(ref);
      return [];
    }
    const which = `${claim.fence ?? claim.claimedAt ?? ''}`;
    if (this.#orphaned.get(ref) === which) return [];
    this.#orphaned.set(ref, which);
    const why = claim.reason === null ? '' : ` (${claim.reason})`;
    return [tell('claim_orphaned', ref, `${claim.agent} holds ${ref}, but the session behind it is gone${why}.`, at)];
  }

  #run({ run }: RunData, at: string): Notification[] {
    const { runId, suite, branch, state, failed, indeterminate, lost, scenarios } = run;
    const missing = lost + indeterminate;
    const isGreen = state === 'finished' && run.exitCode === 0 && failed + missing === 0;
    if (state === 'running' || isGreen) {
      this.#failed.delete(runId);
      return [];
    }
    if (this.#failed.get(runId) === state) return [];
    this.#failed.set(runId, state);
    const name = branch === null ? suite : `${suite} on ${branch}`;
    const counts = `${failed} failed, ${missing} without a verdict, of ${scenarios}`;
    const text =
      state === 'orphaned'
        ? `${name} is orphaned: its publisher fell silent (${counts}).`
        : `${name} failed: ${counts}.`;
    return [tell('run_failed', runId, text, at)];
  }
}

/** Hosts of a team often have their clones at the same path. */
const placeOf = ({ host, root }: ContestedTree): string => `${host} ${root}`;

const tell = (type: Notification['type'], subject: string, text: string, at: string): Notification => ({
  type,
  subject,
  text,
  at,
});
