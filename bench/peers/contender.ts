/** One way to hand out jobs. A job is taken and completed: two durable steps. */
export type Contender = {
  name: string;
  /** The number of jobs that the workers complete within the time. */
  round(workers: number, ms: number): Promise<number>;
  /** The duration of each claim in the last round, if known. */
  claimMs: number[];
  close(): Promise<void>;
};

/** Runs the workers, each doing one job after the other until the time is up. */
export async function workFor(
  workers: number,
  ms: number,
  job: (worker: number) => Promise<number>,
  claimMs: number[],
): Promise<number> {
  claimMs.length = 0;
  let done = 0;
  const end = performance.now() + ms;
  const work = async (_: unknown, worker: number) => {
    while (performance.now() < end) {
      claimMs.push(await job(worker));
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return done;
}
