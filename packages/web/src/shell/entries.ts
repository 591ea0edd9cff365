import { Activity, Bot, CircleDot, FolderGit2, type LucideIcon, Map as MapIcon } from 'lucide-react';
import { client } from '../live/client.ts';
import { keys } from '../live/keys.ts';
import type { Mode } from '../live/mode.ts';
import type { Board, NodeView, PlanStatus, PlanSummary, Repository, RunSummary } from '../live/wire.ts';
import { places } from './nav.ts';

export type Entry = { href: string; label: string; says: string; kind: string; icon: LucideIcon };

/** Everything this page already knows and can be jumped to; reads the cache only, so that it opens at once. */
export function knownEntries(mode: Mode): Entry[] {
  const entries: Entry[] = places(mode).map(({ href, label, icon }) => ({
    href,
    label,
    says: 'Page',
    kind: 'Page',
    icon,
  }));
  const put = (kind: string, icon: LucideIcon, href: string, label: string, says: string) =>
    entries.push({ kind, icon, href, label, says });

  const nodes = new Map<string, NodeView>();
  for (const node of client.getQueryData<NodeView[]>(keys.ready) ?? []) nodes.set(node.ref, node);
  for (const [, status] of client.getQueriesData<PlanStatus>({ queryKey: ['plan'] }))
    for (const node of status?.ready ? status.nodes : []) nodes.set(node.ref, node);

  for (const plan of client.getQueryData<PlanSummary[]>([...keys.plans, 'active']) ?? [])
    put('Plan', MapIcon, `/plans/${plan.slug}`, plan.title, plan.slug);
  for (const node of nodes.values())
    put('Node', CircleDot, `/plans/${node.plan}?node=${node.id}`, node.title, `${node.ref} ${node.claimedBy ?? ''}`);
  for (const session of client.getQueryData<Board>([...keys.agents, 'board'])?.sessions ?? [])
    put('Session', Bot, `/agents/${session.sessionId}`, session.title ?? session.sessionId, session.cwd ?? '');
  for (const { owner, name, description } of client.getQueryData<Repository[]>([...keys.repositories, 'list']) ?? [])
    put('Repository', FolderGit2, `/repositories/${owner}/${name}`, `${owner}/${name}`, description ?? '');
  for (const run of client.getQueryData<RunSummary[]>(keys.runs) ?? [])
    put('Run', Activity, `/runs/${run.runId}`, run.suite, `${run.tag ?? ''} ${run.branch ?? ''} ${run.runId}`.trim());
  return entries;
}

/** Every word must occur; an early hit in the label counts most. */
export function rank(entries: readonly Entry[], text: string, most: number): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries.slice(0, most);
  const scored: { entry: Entry; score: number }[] = [];
  for (const entry of entries) {
    const label = entry.label.toLowerCase();
    const rest = `${entry.kind} ${entry.says}`.toLowerCase();
    let score = 0;
    for (const word of words) {
      const place = label.indexOf(word);
      if (place === 0) score += 3;
      else if (place > 0) score += 2;
      else if (rest.includes(word)) score += 1;
      else score = Number.NEGATIVE_INFINITY;
    }
    if (score > 0) scored.push({ entry, score });
  }
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ entry }) => entry);
}
