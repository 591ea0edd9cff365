import { CallFailed } from './client.ts';

/** These speak of the one thing that was asked, and not of who asks or whom. */
const ofTheThing = new Set<number | undefined>([400, 402, 404, 409]);

/** What was done, with the refusal where there was one: played a second time, some of it is so already. */
export async function unlessRefused(what: string, call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return what;
  } catch (fault) {
    if (fault instanceof CallFailed && ofTheThing.has(fault.status)) return `${what}: ${fault.message}`;
    throw fault;
  }
}
