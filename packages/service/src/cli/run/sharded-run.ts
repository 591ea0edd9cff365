type Env = Readonly<Record<string, string | undefined>>;

/** The run that this process has a part in: both variables are set, as publishers read them. */
export const shardedRunId = ({ SIGNALBOX_RUN_ID, SIGNALBOX_SHARD }: Env): string | null =>
  SIGNALBOX_SHARD?.trim() ? SIGNALBOX_RUN_ID?.trim().toLowerCase() || null : null;
