import type { Mode } from '../live/mode.ts';
import { useBoard, usePlans, useReady, useRepositories, useRuns } from '../live/queries.ts';
import { counted } from '../ui/count.ts';
import type { Tone } from '../ui/tone.tsx';

/** The figure beside a place of the navigation: what waits there. */
export function Counts({ place, mode }: { place: string; mode: Mode }) {
  if (place === '/runs') return <Runs />;
  if (mode !== 'whole') return null;
  if (place === '/plans') return <Plans />;
  if (place === '/ready') return <Ready />;
  if (place === '/agents') return <Agents />;
  if (place === '/repositories') return <Repositories />;
  return null;
}

function Figure({ value, tone, unit = '' }: { value: number | undefined; tone?: Tone; unit?: string }) {
  if (value === undefined || (value === 0 && tone)) return null;
  const colour = tone ? `tone-${tone} text-tone-text` : 'text-fg-3';
  return (
    <span className={`font-medium font-mono text-xs ${colour}`}>
      {counted(value)}
      {unit}
    </span>
  );
}

const Plans = () => <Figure value={usePlans().data?.length} />;
const Ready = () => <Figure value={useReady().data?.length} />;
const Repositories = () => <Figure value={useRepositories().data?.length} />;

function Agents() {
  const board = useBoard().data;
  if (!board) return null;
  const claims = board.sessions.flatMap((session) => session.claims);
  const hurt = claims.filter(({ health }) => health === 'stalled' || health === 'orphaned').length;
  const trees = board.trees.filter(({ contested, needsCleanup }) => contested || needsCleanup).length;
  return <Figure value={hurt + trees} tone="warn" unit=" !" />;
}

function Runs() {
  const runs = useRuns().data;
  return <Figure value={runs?.filter(({ state }) => state === 'running').length} tone="active" unit=" live" />;
}
