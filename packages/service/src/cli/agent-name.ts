import { userInfo } from 'node:os';
import type { RestClient } from './client.ts';

export const asOption = [
  '--as <name>',
  "your name (default: SIGNALBOX_AGENT, then the token's name, then the user name)",
] as const;

/** The acting person or agent: from the option, else the environment, else the token, else the system's user. */
export async function agentName(client: RestClient, as: string | undefined): Promise<string> {
  const named = as?.trim() || process.env.SIGNALBOX_AGENT?.trim();
  if (named) return named;
  const { name } = await client.call('me', {});
  return name ?? userInfo().username;
}
