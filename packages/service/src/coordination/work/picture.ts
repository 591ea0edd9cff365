import type { Projection, Recorded } from '../../kernel/event-log.ts';
import { ClaimBook } from '../claims/book.ts';
import { isLive, type Lease } from '../claims/lease.ts';
import { EvidenceBook } from '../evidence/book.ts';
import { type Evidence, unobserved } from '../evidence/evidence.ts';
import { PlanBook } from '../plans/book.ts';
import type { Status } from '../plans/contract.ts';
import { Standing } from './standing.ts';

/** Plans, claims and evidence folded from one log, and what follows from the three together. */
export class Picture implements Projection {
  readonly plans = new PlanBook();
  readonly claims = new ClaimBook();
  readonly evidence = new EvidenceBook();
  readonly standing = new Standing(this.plans.graph, (vertex) => this.evidenceOf(vertex));

  apply(event: Recorded): void {
    this.claims.apply(event);
    this.evidence.apply(event);
    // Last, because it asks the other two how a changed node stands.
    this.plans.apply(event);
    if (event.stream.startsWith('evidence:')) {
      const vertex = this.plans.graph.find(event.stream.slice('evidence:'.length));
      if (vertex !== undefined) this.standing.nodeChanged(vertex);
    }
  }

  reset(): void {
    this.claims.reset();
    this.evidence.reset();
    this.plans.reset();
    this.standing.clear();
  }

  /** The vertex of a node that exists, in an archived plan too. */
  find(plan: string, node: string): number | undefined {
    const vertex = this.plans.graph.find(`${plan}/${node}`.toLowerCase());
    return vertex !== undefined && this.plans.graph.nodes[vertex] ? vertex : undefined;
  }

  keyOf(vertex: number): string {
    return this.plans.graph.keys[vertex] ?? '';
  }

  evidenceOf(vertex: number): Evidence | null {
    const binding = this.plans.graph.nodes[vertex]?.binding;
    return binding ? (this.evidence.of(this.keyOf(vertex)) ?? unobserved(binding)) : null;
  }

  liveLease(vertex: number, now: string): Lease | null {
    const { lease } = this.claims.of(this.keyOf(vertex));
    return isLive(lease, now) ? lease : null;
  }

  status(vertex: number, now: string): Status {
    const proof = this.standing.proof(vertex);
    if (proof !== 'open') return proof;
    if (this.liveLease(vertex, now)) return 'claimed';
    return this.standing.isBlocked(vertex) ? 'blocked' : 'ready';
  }
}
