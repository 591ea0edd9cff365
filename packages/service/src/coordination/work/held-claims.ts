import { liveClaims } from './parked.ts';
import type { WorkState } from './work-state.ts';

export type HeldClaim = { ref: string; title: string; agent: string; token: string; expiresAt: string };

/** Every live claim with its holder. `token` is the name of the token that made it, otherwise the name at the start of its label. */
export const heldClaims = (workState: WorkState, now: string): HeldClaim[] =>
  liveClaims({ workState, now }).map(({ vertex, lease: { agent, expiresAt, token } }) => ({
    ref: workState.plans.refOf(vertex),
    title: workState.plans.graph.nodes[vertex]?.title ?? '',
    agent,
    token: token ?? agent.split('/', 1)[0] ?? agent,
    expiresAt,
  }));

/** The live claims made with one token. */
export const claimsWith = (workState: WorkState, name: string, now: string) =>
  heldClaims(workState, now)
    .filter(({ token }) => token === name)
    .map(({ ref, agent, expiresAt }) => ({ ref, agent, expiresAt }));
