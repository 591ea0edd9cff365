import { TokenProjection } from '../coordination/access/token-projection.ts';
import { ClaimNotes } from '../coordination/claims/claim-notes.ts';
import { MemorySearch } from '../coordination/repositories/memory-search.ts';
import { RepositoryProjection } from '../coordination/repositories/repository-projection.ts';
import { LinkProjection } from '../coordination/work/claim-session.ts';
import { WorkState } from '../coordination/work/work-state.ts';

export type Projections = ReturnType<typeof createProjections>;

/** Everything that coordination folds from the log. */
export function createProjections() {
  const memory = new MemorySearch();
  return {
    workState: new WorkState(),
    links: new LinkProjection(),
    repositories: new RepositoryProjection(),
    memory,
    tokens: new TokenProjection(),
    claimNotes: new ClaimNotes((note) => memory.putClaimNote(note)),
  };
}
