type Env = Readonly<Record<string, string | undefined>>;

/** The part of a run that this process publishes, such as 2 of 3. */
export type ShardOfRun = { runId: string; index: number; count: number };

/** `2/3` is the second of three. */
export function shardOf(text: string | undefined): { index: number; count: number } | null {
  const [, index = '', count = ''] = /^(\d{1,5})\/(\d{1,5})$/.exec(text?.trim() ?? '') ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return shard.index >= 1 && shard.index <= shard.count ? shard : null;
}

/** The part of this process; as in the publishers, both variables must be set. */
export function shardIn({ SIGNALBOX_RUN_ID, SIGNALBOX_SHARD }: Env): ShardOfRun | null {
  const runId = SIGNALBOX_RUN_ID?.trim().toLowerCase();
  const shard = shardOf(SIGNALBOX_SHARD);
  return runId && shard ? { runId, ...shard } : null;
}
