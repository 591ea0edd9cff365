import { useBoard } from '../features/agents/agent-queries.ts';
import { usePlans } from '../features/plans/plan-queries.ts';
import { useRepositories } from '../features/repositories/repository-queries.ts';
import { useRuns } from '../features/runs/run-queries.ts';
import type { Mode } from '../features/shared/mode.ts';
import { useReady } from '../features/work/work-queries.ts';
import type { Tone } from '../ui/appearance.tsx';
import { formatCount } from '../ui/format-count.ts';

/** The count beside a navigation item. */
export function NavCount({ href, mode }: { href: string; mode: Mode }) {
  if (href === '/runs') return <Runs />;
  if (mode !== 'whole') return null;
  if (href === '/plans') return <Plans />;
  if (href === '/ready') return <Ready />;
  if (href === '/agents') return <Agents />;
  if (href === '/repositories') return <Repositories />;
  return null;
}

function CountLabel({ value, tone, unit = '' }: { value: number | undefined; tone?: Tone; unit?: string }) {
  if (value === undefined || (value === 0 && tone)) return null;
  const colour = tone ? `tone-${tone} text-tone-text` : 'text-fg-3';
  return (
    <span className={`font-medium font-mono text-xs ${colour}`}>
      {formatCount(value)}
      {unit}
    </span>
  );
}

const Plans = () => <CountLabel value={usePlans().data?.length} />;
const Ready = () => <CountLabel value={useReady().data?.length} />;
const Repositories = () => <CountLabel value={useRepositories().data?.length} />;

function Agents() {
  const board = useBoard().data;
  if (!board) return null;
  const claims = board.sessions.flatMap((session) => session.claims);
  const hurt = claims.filter(({ health }) => health === 'stalled' || health === 'orphaned').length;
  const trees = board.trees.filter(({ contested, needsCleanup }) => contested || needsCleanup).length;
  return <CountLabel value={hurt + trees} tone="warn" unit=" !" />;
}

function Runs() {
  const runs = useRuns().data;
  return <CountLabel value={runs?.filter(({ state }) => state === 'running').length} tone="active" unit=" live" />;
}
