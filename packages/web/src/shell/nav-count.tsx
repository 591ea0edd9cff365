import { useMyNeeds, useNeeds } from '../features/home/needs-queries.ts';
import { usePlans } from '../features/plans/plan-queries.ts';
import { useRepositories } from '../features/repositories/repository-queries.ts';
import { useRuns } from '../features/runs/run-queries.ts';
import type { Mode } from '../features/shared/mode.ts';
import type { Tone } from '../ui/appearance.tsx';
import { formatCount } from '../ui/format-count.ts';

/** The count beside a navigation item. */
export function NavCount({ href, mode }: { href: string; mode: Mode }) {
  if (href === '/runs') return <Runs />;
  if (mode !== 'whole') return null;
  if (href === '/') return <NeedsYou />;
  if (href === '/plans') return <Plans />;
  if (href === '/ready') return <Ready />;
  if (href === '/agents') return <Agents />;
  if (href === '/changes') return <Changes />;
  if (href === '/repositories') return <Repositories />;
  return null;
}

function CountLabel({ value, tone, unit = '' }: { value: number | undefined; tone?: Tone; unit?: string }) {
  if (value === undefined || (value === 0 && tone)) return null;
  const colour = tone ? `tone-${tone} text-tone-text` : 'text-fg-3';
  return (
    <span className={`whitespace-nowrap font-medium font-mono text-xs max-lg:no-menu:text-tiny ${colour}`}>
      {formatCount(value)}
      <span className="max-lg:no-menu:sr-only">{unit}</span>
    </span>
  );
}

const NeedsYou = () => <CountLabel value={useMyNeeds()} tone="warn" unit=" !" />;
const Plans = () => <CountLabel value={usePlans().data?.length} />;
const Ready = () => <CountLabel value={useNeeds().data?.counts.ready} />;
const Agents = () => <CountLabel value={useNeeds().data?.counts.sessions} tone="active" unit=" live" />;
const Changes = () => {
  const needs = useNeeds().data?.needs;
  return <CountLabel value={needs?.filter(({ kind }) => kind === 'lines_overlap').length} tone="warn" unit=" !" />;
};
const Repositories = () => <CountLabel value={useRepositories().data?.length} />;

function Runs() {
  const runs = useRuns().data;
  return <CountLabel value={runs?.filter(({ state }) => state === 'running').length} tone="active" unit=" live" />;
}
