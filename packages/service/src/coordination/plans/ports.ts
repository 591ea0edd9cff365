import type { Health } from '../../kernel/claim-view.ts';
import type { Caller } from '../../kernel/command.ts';
import type { Fault, Refusal } from '../../kernel/outcome.ts';
import type { PlanDocument, PlanSummary } from './contract.ts';
import type { NodeView } from './node-view.ts';
import type { Plan } from './plan.ts';
import type { FileText } from './plan-text.ts';

/** A live claim, and how its session was last seen. */
export type LiveClaim = { heldBy: string; heldUntil: string; health: Health; reason: string | null };

/** The agent that claims to hold a node. */
export type HolderRequest = {
  agent?: string | null | undefined;
  session?: string | null | undefined;
  fence?: number | null | undefined;
};

/** Views of plans with everything known about their nodes; implemented by the work room. */
export type PlanViews = {
  summary(plan: Plan): PlanSummary;
  node(plan: string, node: string): NodeView;
  /** Nodes of other active plans that depend on it, and its claimed nodes. */
  dependentsAndClaims(plan: Plan): { dependents: string[]; claims: string[] };
  liveClaim(plan: string, node: string, now: string): LiveClaim | null;
  /** Why a call does not come from the node's holder; undefined if it does. */
  checkHolder(plan: string, node: string, request: HolderRequest, caller: Caller): Refusal | undefined;
  /** The stream of a node's claims, for decisions that require a node without a claim. */
  claimStream(plan: string, node: string): string;
};

export type PlanFile = { file: string; text: string } | { file: string; unreadable: string };

/** The directory of `Service:PlansPath`. Files are read one after the other, because together they may not fit into memory. */
export type PlanFiles = { path: string; read(): AsyncIterable<PlanFile> };

/** Reads plans from text while other calls continue. */
export type PlanTexts = {
  /** The document, or a list of its faults. */
  read(text: string): Promise<PlanDocument | Fault[]>;
  readFile(text: string, paths: readonly string[]): Promise<FileText>;
};
