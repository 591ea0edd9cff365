import { CallFailed } from './client.ts';

/** Statuses that refuse this one call, not the caller or the whole service. */
const statusesOfTheCall = new Set<number | undefined>([400, 402, 404, 409]);

/** Describes a demo step, with its refusal if any: a step that was already played is refused. */
export async function unlessRefused(what: string, call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return what;
  } catch (fault) {
    if (fault instanceof CallFailed && statusesOfTheCall.has(fault.status)) return `${what}: ${fault.message}`;
    throw fault;
  }
}
