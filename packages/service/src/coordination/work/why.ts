import { wanted } from '../evidence/wanted.ts';
import { effectiveBinding } from '../plans/binding.ts';
import type { Status } from '../plans/contract.ts';
import type { Picture } from './picture.ts';

/** One line: why a node stands where it does, or what it waits for. */
export function why(picture: Picture, vertex: number, status: Status, now: string): string {
  const sentences = [first(picture, vertex, status, now), proof(picture, vertex, status)];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function first(picture: Picture, vertex: number, status: Status, now: string): string {
  switch (status) {
    case 'done': {
      const evidence = picture.evidenceOf(vertex);
      return `${evidence?.state === 'running' ? 'Done by an earlier run;' : 'Done:'} ${evidence?.detail}.`;
    }
    case 'running':
      return 'A run of its suite is live.';
    case 'failed':
      return `Failed: ${picture.evidenceOf(vertex)?.detail}.${picture.standing.isReady(vertex) ? ' It is offered again.' : ` ${waits(picture, vertex)}`}`;
    case 'claimed': {
      const lease = picture.liveLease(vertex, now);
      const held = `Held by ${lease?.agent} until ${lease?.expiresAt}.`;
      return picture.standing.isBlocked(vertex) ? `${held} ${waits(picture, vertex)}` : held;
    }
    case 'blocked':
      return waits(picture, vertex);
    case 'ready':
      return unblocks(picture.standing.leverage.of(vertex));
  }
}

const unblocks = (leverage: number): string =>
  leverage === 0
    ? 'Ready; nothing waits for it.'
    : `Ready; ${leverage} open ${leverage === 1 ? 'node waits' : 'nodes wait'} for it.`;

function proof(picture: Picture, vertex: number, status: Status): string {
  const evidence = picture.evidenceOf(vertex);
  const binding = picture.plans.graph.nodes[vertex]?.binding;
  if (evidence === null || !binding) return 'Nothing proves it done: bind it.';
  if (status === 'done') return '';
  const found = status === 'failed' ? '' : ` ${capital(evidence.detail)}.`;
  return `Wants ${wanted(effectiveBinding(binding, picture.plans.refOf(vertex)))}.${found}${lastLook(picture, vertex)}`;
}

function lastLook(picture: Picture, vertex: number): string {
  const at = picture.evidence.lookedAt(picture.keyOf(vertex));
  return at === null ? '' : ` Last looked at ${at}.`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const shown = 3;

function waits(picture: Picture, vertex: number): string {
  const open = waitingFor(picture, vertex);
  const names = open.slice(0, shown).map((on) => named(picture, on));
  const more = open.length > shown ? ` and ${open.length - shown} more` : '';
  return `Waits for ${names.join(', ')}${more}.`;
}

function named(picture: Picture, vertex: number): string {
  const ref = picture.plans.refOf(vertex);
  const { nodes, plans } = picture.plans.graph;
  if (!nodes[vertex]) return `${ref} (cannot be found)`;
  return plans[vertex]?.archivedAt ? `${ref} (the plan ${plans[vertex]?.slug} is archived)` : ref;
}

/** The dependencies that are not done, missing ones included. */
export const waitingFor = (picture: Picture, vertex: number): number[] =>
  (picture.plans.graph.dependsOn[vertex] ?? []).filter((on) => !picture.standing.isDone(on));
