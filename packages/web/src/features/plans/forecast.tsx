import { Hourglass } from 'lucide-react';
import { useState } from 'react';
import type { Counts, Simulation } from '../../live/wire.ts';
import { countWithNoun } from '../../ui/format-count.ts';
import { rememberChoice, remembered } from '../../ui/settings.ts';
import { formatMoment } from '../../ui/time.tsx';
import { useSimulation } from './plan-queries.ts';

const sizes = [1, 2, 4, 8, 16, 32, 64];

/** When the plan is done with a number of agents, and what would end it sooner. */
export function Forecast({ slug, counts }: { slug: string; counts: Counts }) {
  const [agents, setAgents] = useState(() => Number(remembered('forecast.agents')) || 4);
  const open = Object.values(counts).reduce((sum, count) => sum + count, 0) - counts.done;
  const { data } = useSimulation(slug, agents, counts, open);
  if (open === 0 || !data) return null;
  const choose = (size: number) => {
    setAgents(size);
    rememberChoice('forecast.agents', String(size));
  };
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 gap-y-1 text-fg-2">
      <Hourglass size={13} className="text-fg-3" aria-hidden />
      With
      <select
        aria-label="Agents in the forecast"
        value={agents}
        onChange={({ target }) => choose(Number(target.value))}
        className="h-6 rounded-md border border-edge bg-raised px-1 font-medium text-control"
      >
        {sizes.map((size) => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
      </select>
      {agents === 1 ? 'agent' : 'agents'}: <Ends simulation={data} />
      <Sooner simulation={data} />
    </p>
  );
}

function Ends({ simulation: { endsAt, stuck, assumed } }: { simulation: Simulation }) {
  if (endsAt === null)
    return (
      <b className="tone-fail font-semibold text-tone-text">{countWithNoun(stuck.length, 'node')} can never be done</b>
    );
  const guess =
    assumed.withoutEstimate > 0
      ? `${countWithNoun(assumed.withoutEstimate, 'node')} without an estimate: ${assumed.minutes} min each`
      : undefined;
  return (
    <b className="font-semibold text-fg" title={guess}>
      done about {formatMoment(endsAt)}
    </b>
  );
}

function Sooner({ simulation: { splits, fleets, agents } }: { simulation: Simulation }) {
  const [split] = splits;
  const largest = fleets.at(-1);
  const tooMany = largest !== undefined && largest.agents === agents && fleets.length > 1;
  return (
    <>
      {split && Math.round(split.savesMinutes) > 0 && (
        <span className="text-fg-3 max-md:hidden">
          · splitting <span className="text-fg-2">{split.title}</span> saves {minutesText(split.savesMinutes)}
        </span>
      )}
      {tooMany && <span className="text-fg-3 max-md:hidden">· more agents would not finish sooner</span>}
    </>
  );
}

function minutesText(minutes: number): string {
  const whole = Math.round(minutes);
  return whole < 60 ? `${whole} min` : `${Math.floor(whole / 60)} h ${whole % 60} min`;
}
