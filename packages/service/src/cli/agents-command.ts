import type { Command } from 'commander';
import type { Board, Session, Tree } from '../coordination/agents/contract.ts';
import { agentTools } from '../coordination/agents/tools/tools.ts';
import { createClient, urlOption } from './client.ts';
import { printAnswer, table } from './table.ts';

type Options = { url?: string; json?: boolean; since?: string; all?: boolean };

/** `signalbox agents`: the board in the terminal, over REST to a running service. */
export function addAgents(program: Command): void {
  program
    .command('agents')
    .description('the board: sessions, working trees that need attention, claims without a session')
    .option(
      '--since <time>',
      'only sessions active in the last 36h (or since an instant); live sessions and those with a claim are always shown',
      '7d',
    )
    .option('--all', 'all sessions with a session file')
    .option('--json', 'print JSON')
    .option(...urlOption)
    .action(async ({ url, json, since, all }: Options) => {
      const board = await createClient(url).call('list_agents', all ? {} : { since });
      printAnswer(json, board, () => boardText(board));
    });
}

const observedTitles = new Intl.ListFormat('en-GB').format(
  agentTools.flatMap(({ sessions, title }) => (sessions ? [title] : [])),
);

export function boardText({ sessions, trees, unlinkedClaims, ambiguous, observedAt, sources }: Board): string {
  const unreadable = sources
    .filter(({ ok }) => !ok)
    .map(({ tool, path, detail }) => `! ${tool} ${path}: ${detail ?? ''}\n`);
  const needAttention = trees.filter(({ contested, needsCleanup }) => contested || needsCleanup);
  const severalHosts = new Set([...sessions, ...trees].map((one) => one.host)).size > 1;
  const host = (cell: string[]) => (severalHosts ? cell : []);
  const parts = [
    sessions.length === 0
      ? `No sessions seen. Sessions of ${observedTitles} on this machine appear here automatically.\n`
      : table(
          ['STATE', 'SESSION', ...host(['HOST']), 'WHY', 'FOR', 'REPOSITORY', 'BRANCH', 'CLAIMS'],
          sessions.map((one) => sessionRow(one, observedAt, host([one.host]))),
        ),
    needAttention.length > 0 &&
      table(
        ['TREE', ...host(['HOST']), 'PROBLEM'],
        needAttention.map((tree) => [tree.root, ...host([tree.host]), wants(tree)]),
      ),
    unlinkedClaims.length > 0 &&
      table(
        ['CLAIM WITHOUT SESSION', 'AGENT', 'WHY', 'UNTIL'],
        unlinkedClaims.map((one) => [`${one.plan}/${one.node}`, one.agent, one.reason, one.expiresAt]),
      ),
    ambiguous.length > 0 &&
      table(
        ['SHARED REPOSITORY', 'SESSIONS', 'CLAIMS'],
        ambiguous.map((one) => [one.repository, one.sessions.length, one.claims.join(', ')]),
      ),
    unreadable.join(''),
  ];
  return parts.filter(Boolean).join('\n');
}

function sessionRow(one: Session, observedAt: string | null, host: readonly string[]) {
  const claims = one.claims.map(claimText).join('; ');
  const state = one.activity === null ? one.state : `${one.state} (${one.activity.replace('_', ' ')})`;
  return [
    state,
    one.title ?? one.sessionId,
    ...host,
    one.reason,
    durationText(one.since, observedAt),
    one.repository ?? one.cwd,
    one.branch,
    claims,
  ];
}

/** An inferred link may be wrong, so the holder is only possibly this session. */
const claimText = ({ plan, node, health, agent, correlation }: Session['claims'][number]): string =>
  `${plan}/${node} ${health}, ${correlation === 'inferred' ? 'possibly ' : ''}${agent}`;

const wants = ({ contested, sessions, needsCleanup }: Tree): string =>
  [contested && `contested: ${sessions.length} sessions`, needsCleanup && 'cleanup: all sessions gone']
    .filter(Boolean)
    .join('; ');

function durationText(since: string | null, until: string | null): string {
  if (since === null || until === null) return '';
  const minutes = Math.max(0, Math.round((Date.parse(until) - Date.parse(since)) / 60_000));
  if (minutes < 60) return `${minutes}m`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)}h ${minutes % 60}m` : `${Math.floor(minutes / 1440)}d`;
}
