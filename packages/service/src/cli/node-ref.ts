import { CallFailed, exitCodes } from './client.ts';

export type NodeRef = { plan: string; node: string };

/** `plan/node`, as every list prints it. */
export function parseRef(text: string): NodeRef {
  const [plan = '', node = '', ...more] = text.split('/');
  if (plan !== '' && node !== '' && more.length === 0) return { plan, node };
  throw new CallFailed(
    `"${text}" is not a node reference. Write it as plan/node; "signalbox ready" and "signalbox plans show PLAN" list them.`,
    exitCodes.usage,
  );
}
