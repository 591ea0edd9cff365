import type { WorkState } from './work-state.ts';

export type LiveClaim = { ref: string; title: string; agent: string; token: string; expiresAt: string };

/** Every claim under a live lease. `token` is the name of the token it was made with, else the name that its label starts with. */
export function liveClaims(workState: WorkState, now: string): LiveClaim[] {
  const { claims, plans } = workState;
  return [...claims.open()].flatMap((key) => {
    const vertex = plans.graph.find(key);
    const lease = vertex === undefined ? null : workState.liveLease(vertex, now);
    if (vertex === undefined || !lease) return [];
    const { agent, expiresAt } = lease;
    const token = lease.token ?? agent.split('/', 1)[0] ?? agent;
    return [{ ref: plans.refOf(vertex), title: plans.graph.nodes[vertex]?.title ?? '', agent, token, expiresAt }];
  });
}

/** Those made with one token. */
export const claimsWith = (workState: WorkState, name: string, now: string) =>
  liveClaims(workState, now)
    .filter(({ token }) => token === name)
    .map(({ ref, agent, expiresAt }) => ({ ref, agent, expiresAt }));
