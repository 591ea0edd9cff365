import type { Simulation } from '../coordination/work/simulate.ts';
import { amountOf, durationText, untilText } from './figures.ts';
import { paint, table, visible } from './table.ts';

/** How many of the longest idle spans are listed; the table counts all of them. */
const mostSpans = 6;
const mostStuck = 10;

/** The simulation as text. */
export function simulationText(result: Simulation): string {
  const { plan, openNodes, workMinutes, agents } = result;
  const now = Date.parse(result.startsAt);
  if (openNodes === 0) return `${visible(plan)}: every node is done.\n`;
  const head = `${visible(plan)}: ${amountOf(openNodes, 'open node')}, ${minutesText(workMinutes)} of work, ${amountOf(agents, 'agent')}.`;
  return [
    head,
    endText(result, now),
    '',
    table(
      ['CRITICAL PATH', 'TITLE', 'STARTS', 'DONE', 'TAKES', 'WAITS FOR AN AGENT'],
      result.path.map(({ ref, title, startsAt, endsAt, minutes, waitedMinutes }) => [
        ref,
        title,
        clock(startsAt),
        clock(endsAt),
        minutesText(minutes),
        waitedMinutes > 0 ? minutesText(waitedMinutes) : '',
      ]),
    ),
    splitText(result),
    '',
    table(
      ['AGENTS', result.likely ? 'ENDS IF NO ATTEMPT FAILS' : 'ENDS', 'IDLE IN ALL'],
      result.fleets.map((fleet) => [
        fleet.agents === agents ? `${fleet.agents} (asked)` : fleet.agents,
        fleet.endsAt === null ? 'never' : untilText(fleet.endsAt, now),
        minutesText(fleet.idleMinutes),
      ]),
    ),
    ...idleLines(result),
    ...assumedLines(result),
    '',
  ].join('\n');
}

function endText({ endsAt, likely, stuck }: Simulation, now: number): string {
  if (endsAt === null) {
    const rows = stuck
      .slice(0, mostStuck)
      .map(
        ({ ref, status, waitsFor }) =>
          `  ${visible(ref)}  ${status}${waitsFor.length > 0 ? `, waits for ${visible(waitsFor.join(', '))}` : ''}`,
      );
    return [paint('red', `The plan never ends: ${amountOf(stuck.length, 'node')} cannot be done.`), ...rows].join('\n');
  }
  const by = likely?.endsBy90 ? `; nine of ten simulations end by ${untilText(likely.endsBy90, now)}` : '';
  return `${paint('green', `Ends about ${untilText(endsAt, now)}`)}${by}.`;
}

function splitText({ splits }: Simulation): string {
  const [first] = splits;
  if (!first) return 'Splitting any node of this path in two would not end the plan sooner.';
  return `Split first: ${visible(first.ref)} (${minutesText(first.minutes)}). Splitting it in two lets the plan end ${minutesText(first.savesMinutes)} sooner.`;
}

function idleLines({ idle, agents }: Simulation): string[] {
  const spans = idle
    .slice(0, mostSpans)
    .map((span) => `  ${clock(span.from)} to ${clock(span.to)}: ${span.agents} of ${agents} idle`);
  const more = idle.length > mostSpans ? [`  and ${idle.length - mostSpans} more spans (--json has them all)`] : [];
  return idle.length === 0 ? ['Nobody is idle.'] : ['Idle:', ...spans, ...more];
}

function assumedLines({ assumed: { minutes, withoutEstimate, withoutProof } }: Simulation): string[] {
  return [
    ...(withoutEstimate > 0
      ? [`Assumed: ${minutesText(minutes)} for ${amountOf(withoutEstimate, 'node')} without an estimate.`]
      : []),
    ...(withoutProof > 0
      ? [
          `Assumed: ${amountOf(withoutProof, 'node')} without a binding ${withoutProof === 1 ? 'is' : 'are'} done when submitted.`,
        ]
      : []),
  ];
}

const minutesText = (minutes: number): string => durationText(Math.round(minutes));
const clock = (at: string): string => `${at.slice(11, 16)} UTC`;
