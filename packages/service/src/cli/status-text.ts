import type { Need, Needs } from '../coordination/needs/contract.ts';
import type { Condition } from '../kernel/conditions.ts';
import { paint, visible } from './table.ts';

/** Further needs are only counted, so that `signalbox` alone fits on a small screen. */
const mostNeeds = 5;

/** The current state in ten lines: what needs a person, then counts, then the next command. */
export function statusText({ needs, counts }: Needs, url: string, conditions: readonly Condition[] = []): string {
  const shown = needs.slice(0, mostNeeds);
  const lines = [
    ...conditionLines(conditions),
    needs.length === 0 && conditions.length === 0
      ? `${paint('green', 'Nothing needs you.')} ${url}`
      : `${paint('yellow', thingsNeedYou(needs.length + conditions.length))} ${url}`,
    ...shown.map((need) => `  ${needText(need)}`),
    ...(needs.length > shown.length ? [`  and ${needs.length - shown.length} more: signalbox open`] : []),
    `sessions ${counts.sessions}${counts.waiting > 0 ? ` (${counts.waiting} waiting)` : ''}   claimed ${counts.claimed}${counts.troubledClaims > 0 ? ` (${counts.troubledClaims} stalled or orphaned)` : ''}   ready ${counts.ready}   live runs ${counts.liveRuns}`,
    `Next: ${nextOf(needs[0], counts)}`,
  ];
  return `${lines.join('\n')}\n`;
}

const thingsNeedYou = (count: number): string => `${count} ${count === 1 ? 'thing needs' : 'things need'} you.`;

/** Problems of the service itself, with their fixes. */
export const conditionLines = (conditions: readonly Condition[]): string[] =>
  conditions.map(({ severity, detail, next }) => {
    const isDown = severity === 'down';
    return `${paint(isDown ? 'red' : 'yellow', isDown ? 'NOT READY' : 'warning')} ${visible(`${detail} ${next}`)}`;
  });

const needText = ({ title, detail }: Need): string => visible(`${title}: ${detail}`);

function nextOf(first: Need | undefined, counts: Needs['counts']): string {
  if (first?.command) return visible(first.command);
  if (first?.ref) return `signalbox why ${visible(first.ref)}`;
  if (first?.runId) return `signalbox summary ${visible(first.runId)}`;
  if (first) return 'signalbox agents';
  if (counts.ready > 0) return 'signalbox ready, or signalbox next to claim the first';
  if (counts.liveRuns > 0) return 'signalbox runs --follow';
  if (counts.sessions + counts.claimed === 0)
    return 'signalbox demo plays an example; signalbox connect connects the agents of a project, signalbox connect --tests its tests';
  return 'signalbox agents, signalbox runs, signalbox --help';
}
