import { z } from 'zod';
import { health, tokens } from '../../kernel/claim-view.ts';
import type { EventIn } from '../../kernel/event-log.ts';
import { binding } from './binding.ts';
import { importDocument, nodeDocument, planSource } from './contract.ts';

const change = z.object({ from: z.unknown(), to: z.unknown() });
const changes = z.record(z.string(), change);
export type Change = z.output<typeof change>;
export type Changes = z.output<typeof changes>;

const id = z.string();
const edge = z.object({ node: z.string(), on: z.string() });
/** Set if the holder of the node did it, not an author. */
const held = { held: z.literal(true).exactOptional() };

/** The actions of authors on a plan. */
export const planEvents = {
  version: 1,
  types: {
    plan_created: z.object({ document: importDocument, source: planSource }),
    plan_changed: z.object({ fields: changes }),
    plan_archived: z.object({}),
    plan_restored: z.object({}),
    /** Replaces the events of a plan once they are in the archive. Written by the store. */
    plan_moved: z.object({ sequences: z.array(z.tuple([z.int(), z.int()])), events: z.int() }),
    node_added: z.object({ node: nodeDocument }),
    node_changed: z.object({ id, fields: changes }),
    /** `ended` is how the session behind the claim was last seen, if the node was claimed. */
    node_removed: z.object({
      id,
      ended: z.object({ health, reason: z.string().nullable() }).exactOptional(),
    }),
    /** Its holder split it: it depends on these new nodes and was released; `ended` as for a node that is removed. */
    node_split: z.object({
      id,
      agent: z.string(),
      nodes: z.array(nodeDocument),
      ended: z.object({
        health,
        reason: z.string().nullable(),
        tokens: tokens.exactOptional(),
        note: z.string().nullable().exactOptional(),
      }),
    }),
    dependency_added: edge.extend(held),
    dependency_removed: edge,
    node_bound: z.object({ id, binding: binding.nullable(), ...held }),
  },
};
export type PlanEvent = EventIn<typeof planEvents>;

/** Names the plan that gained an edge; only the stream's version is read. */
export const graphEvents = { version: 1, types: { edges_added: z.object({ plan: z.string() }) } };
