import { CallFailed, exitCodes } from './client.ts';

/** A name as a part of an address. A dot or two would lead to another one, and nothing is called so. */
export function pathSegment(name: string): string {
  if (/^\.{1,2}$/.test(name)) throw new CallFailed(`Nothing is called ${name}`, exitCodes.usage);
  return encodeURIComponent(name);
}
