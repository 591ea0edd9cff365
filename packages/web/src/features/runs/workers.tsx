import type { ReactNode } from 'react';
import type { RunDetail } from '../../live/wire.ts';
import { type Appearance, appearances, StateLabel } from '../../ui/appearance.tsx';
import { formatCount } from '../../ui/format-count.ts';
import { formatDuration } from '../../ui/time.tsx';
import { faultAppearance, recycleAppearance, stallAppearance } from './run-appearance.ts';
import { clock } from './timeline/time-span.ts';
import { useChosenScenario } from './use-chosen-scenario.ts';

const laneAppearances: Record<RunDetail['lanes'][number]['status'], Appearance> = {
  running: appearances.running,
  finished: { ...appearances.done, label: 'Finished' },
  crashed: { ...faultAppearance, label: 'Crashed' },
};

/** Lanes, their workers and their incidents: the content of the timeline as text. */
export function Workers({ detail }: { detail: RunDetail }) {
  const start = Date.parse(detail.run.startedAt ?? '');
  const since = (at: string | null) => (at === null || Number.isNaN(start) ? '' : clock(Date.parse(at) - start));
  return (
    <section aria-label="Workers" tabIndex={0} className="min-h-0 flex-1 overflow-y-auto px-page py-3">
      <h3 className="eyebrow pb-1.5">What happened</h3>
      <Incidents detail={detail} since={since} />
      <h3 className="eyebrow pt-4 pb-1.5">Lanes</h3>
      {detail.lanes.length === 0 ? (
        <p className="text-fg-3">This publisher reports no lanes; rows above are packed by time.</p>
      ) : (
        <Table head={['Lane', 'State', 'Passes', 'Process', 'Scenarios', 'Under way', 'Began', 'Ended']}>
          {detail.lanes.map((lane) => (
            <tr key={lane.lane} className="border-line border-b">
              <Cell>{lane.lane}</Cell>
              <td className="py-1.5 pr-5">
                <StateLabel appearance={laneAppearances[lane.status]} />
              </td>
              <Cell>{lane.passes}</Cell>
              <Cell>{lane.processId}</Cell>
              <Cell>{formatCount(lane.uids.length)}</Cell>
              <Cell>{formatCount(lane.running.length)}</Cell>
              <Cell>{since(lane.startedAt)}</Cell>
              <Cell>{since(lane.finishedAt)}</Cell>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

type Incident = {
  at: string | null;
  appearance: Appearance;
  lane: number | null;
  sentence: string;
  more: string | null;
  uid: string | null;
};

function incidentsOf({ stalls, workerFaults, recycles }: RunDetail): Incident[] {
  const none = { lane: null, more: null, uid: null };
  return [
    ...stalls.map(({ uid, displayName, inFlightMs, lane, at }) => {
      const text = `${displayName}: no events for ${formatDuration(inFlightMs)}`;
      return { at, appearance: stallAppearance, lane, sentence: text, more: null, uid };
    }),
    ...workerFaults.map(({ lane, fault, exitCode, standardError, at }) => {
      const code = exitCode === null || fault.includes(String(exitCode)) ? '' : `, exit code ${exitCode}`;
      return { at, appearance: faultAppearance, lane, sentence: `${fault}${code}`, more: standardError, uid: null };
    }),
    ...recycles.map(({ resource, at }) => ({ ...none, at, appearance: recycleAppearance, sentence: resource })),
  ].sort((a, b) => (a.at ?? '').localeCompare(b.at ?? ''));
}

function Incidents({ detail, since }: { detail: RunDetail; since: (at: string | null) => string }) {
  const { choose } = useChosenScenario();
  const incidents = incidentsOf(detail);
  if (incidents.length === 0) return <p className="text-fg-3">No stall, no worker fault, no recycle.</p>;
  return (
    <Table head={['At', 'What', 'Lane', '']}>
      {incidents.map(({ at, appearance, lane, sentence, more, uid }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no id and keep their order
        <tr key={index} className="border-line border-b align-top">
          <Cell>{since(at)}</Cell>
          <td className="whitespace-nowrap py-1.5 pr-5">
            <StateLabel appearance={appearance} />
          </td>
          <Cell>{lane}</Cell>
          <td className="w-full py-1.5">
            {uid === null ? (
              sentence
            ) : (
              <button
                type="button"
                className="min-h-6 text-left underline decoration-dotted"
                onClick={() => choose(uid)}
              >
                {sentence}
              </button>
            )}
            {more && <pre className="whitespace-pre-wrap font-mono text-code text-fg-2">{more}</pre>}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Table({ head, children }: { head: readonly string[]; children: ReactNode }) {
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr className="border-line border-b text-left text-fg-3 text-xs">
          {head.map((word) => (
            <th key={word} scope="col" className="py-1 pr-5 font-normal">
              {word || <span className="sr-only">Details</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

const Cell = ({ children }: { children: ReactNode }) => (
  <td className="whitespace-nowrap py-1.5 pr-5 font-mono text-note text-fg-2">{children}</td>
);
