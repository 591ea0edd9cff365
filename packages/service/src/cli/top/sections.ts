import type { Board, Session } from '../../coordination/agents/contract.ts';
import type { Needs } from '../../coordination/needs/contract.ts';
import type { NodeView } from '../../coordination/plans/node-view.ts';
import type { RunSummary } from '../../kernel/run-summary.ts';
import { agoText, durationText } from '../figures.ts';
import { progressLine, resultOf, verdictOf } from '../runs-text.ts';
import { visible } from '../table.ts';

/** Everything on the board, read at one moment. */
export type BoardFacts = {
  needs: Needs;
  sessions: Board['sessions'];
  nodes: ReadonlyArray<Pick<NodeView, 'ref' | 'title' | 'claim' | 'leverage' | 'repository'>>;
  runs: readonly RunSummary[];
};

export type Tone = 'good' | 'bad' | 'warn' | 'quiet' | null;
/** One line of a section, and the CLI command with more details. */
export type Row = { text: string; tone: Tone; details: readonly string[] };
export type SectionKey = 'n' | 'a' | 'c' | 'w' | 'r';
export type Section = { key: SectionKey; title: string; rows: readonly Row[]; empty: string };

/** The sections of the board, with the same keys as on the page. */
export function sectionsOf({ needs, sessions, nodes, runs }: BoardFacts, now: number, columns: number): Section[] {
  const claimed = nodes.filter(({ claim }) => claim !== null);
  const ready = nodes.filter(({ claim }) => claim === null);
  return [
    { key: 'n', title: 'Needs you', rows: needs.needs.map(needRow), empty: 'Nothing needs you.' },
    {
      key: 'a',
      title: 'Sessions',
      rows: sessions.filter(({ live }) => live).map((one) => sessionRow(one, now)),
      empty: 'No live sessions.',
    },
    { key: 'c', title: 'Claims', rows: claimed.map((one) => claimRow(one, now)), empty: 'Nobody holds a node.' },
    { key: 'w', title: 'Ready work', rows: ready.map(readyRow), empty: 'Nothing is ready.' },
    { key: 'r', title: 'Runs', rows: runs.map((one) => runRow(one, now, columns)), empty: 'No runs yet.' },
  ];
}

function needRow({ title, detail, ref, runId, kind }: Needs['needs'][number]): Row {
  const details = ref ? ['why', ref] : runId ? ['summary', runId] : ['agents'];
  return { text: visible(`${title}: ${detail}`), tone: kind === 'node_failed' ? 'bad' : 'warn', details };
}

function sessionRow(
  { state, activity, tool, title, sessionId, repository, branch, since, claims }: Session,
  now: number,
): Row {
  const waits = activity === 'waiting';
  const words = [
    (waits ? 'waiting' : state).padEnd(8),
    (since === null ? '' : durationText(Math.max(0, Math.round((now - Date.parse(since)) / 60_000)))).padEnd(10),
    tool.padEnd(12),
    title ?? sessionId.slice(0, 8),
    [repository, branch].filter(Boolean).join('@'),
    claims.map(({ plan, node }) => `${plan}/${node}`).join(', '),
  ];
  const tone = waits ? 'warn' : state === 'running' ? 'good' : 'quiet';
  return {
    text: visible(words.filter((word) => word !== '').join(' ')),
    tone,
    details: ['get_agent', '--session-id', sessionId],
  };
}

function claimRow({ ref, title, claim }: BoardFacts['nodes'][number], now: number): Row {
  const minutes = claim === null ? 0 : Math.round((Date.parse(claim.expiresAt) - now) / 60_000);
  const health = claim?.health ?? '';
  const text = `${ref}  ${claim?.agent ?? ''}  ${health}  ${durationText(Math.max(0, minutes))} left  ${claim?.note ?? title}`;
  const tone = health === 'orphaned' ? 'bad' : health === 'stalled' ? 'warn' : null;
  return { text: visible(text), tone, details: ['why', ref] };
}

const readyRow = ({ ref, title, leverage }: BoardFacts['nodes'][number]): Row => ({
  text: visible(`${ref}  ${title}${leverage > 0 ? `  leverage ${leverage}` : ''}`),
  tone: null,
  details: ['why', ref],
});

function runRow(run: RunSummary, now: number, columns: number): Row {
  const details = ['summary', run.runId];
  if (run.state === 'running')
    return { text: progressLine(run, columns), tone: run.failed > 0 ? 'bad' : 'good', details };
  const tone = run.green ? 'good' : run.green === null ? 'warn' : 'bad';
  const ended = run.endedAt ?? run.startedAt;
  return {
    text: visible(`${verdictOf(run)}  ${run.suite}  ${resultOf(run)}${ended ? `  ${agoText(ended, now)}` : ''}`),
    tone,
    details,
  };
}
