import { CallFailed, exitCodes } from './client.ts';

/** What was done, with the refusal where there was one: played a second time, some of it is so already. */
export async function unlessRefused(what: string, call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return what;
  } catch (fault) {
    if (fault instanceof CallFailed && fault.exitCode === exitCodes.refused) return `${what}: ${fault.message}`;
    throw fault;
  }
}
