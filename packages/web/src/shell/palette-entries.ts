import { Activity, Bot, CircleDot, FolderGit2, type LucideIcon, Map as MapIcon } from 'lucide-react';
import type { Mode } from '../live/mode.ts';
import { queryClient } from '../live/query-client.ts';
import { queryKeys } from '../live/query-keys.ts';
import type { Board, NodeView, PlanStatus, PlanSummary, Repository, RunSummary } from '../live/wire.ts';
import { navItems } from './nav-items.ts';

export type PaletteEntry = { href: string; label: string; detail: string; kind: string; icon: LucideIcon };

/** Everything in the cache that can be jumped to; nothing is fetched, so the palette opens at once. */
export function cachedEntries(mode: Mode): PaletteEntry[] {
  const entries: PaletteEntry[] = navItems(mode).map(({ href, label, icon }) => ({
    href,
    label,
    detail: 'Page',
    kind: 'Page',
    icon,
  }));
  const add = (kind: string, icon: LucideIcon, href: string, label: string, says: string) =>
    entries.push({ kind, icon, href, label, detail: says });

  const nodes = new Map<string, NodeView>();
  for (const node of queryClient.getQueryData<NodeView[]>(queryKeys.ready) ?? []) nodes.set(node.ref, node);
  for (const [, status] of queryClient.getQueriesData<PlanStatus>({ queryKey: ['plan'] }))
    for (const node of status?.ready ? status.nodes : []) nodes.set(node.ref, node);

  for (const plan of queryClient.getQueryData<PlanSummary[]>([...queryKeys.plans, 'active']) ?? [])
    add('Plan', MapIcon, `/plans/${plan.slug}`, plan.title, plan.slug);
  for (const node of nodes.values())
    add('Node', CircleDot, `/plans/${node.plan}?node=${node.id}`, node.title, `${node.ref} ${node.claimedBy ?? ''}`);
  for (const session of queryClient.getQueryData<Board>([...queryKeys.agents, 'board'])?.sessions ?? [])
    add('Session', Bot, `/agents/${session.sessionId}`, session.title ?? session.sessionId, session.cwd ?? '');
  for (const { owner, name, description } of queryClient.getQueryData<Repository[]>([
    ...queryKeys.repositories,
    'list',
  ]) ?? [])
    add('Repository', FolderGit2, `/repositories/${owner}/${name}`, `${owner}/${name}`, description ?? '');
  for (const run of queryClient.getQueryData<RunSummary[]>(queryKeys.runs) ?? [])
    add('Run', Activity, `/runs/${run.runId}`, run.suite, `${run.tag ?? ''} ${run.branch ?? ''} ${run.runId}`.trim());
  return entries;
}

/** Every word must occur; a hit at the start of the label counts most. */
export function rankEntries(entries: readonly PaletteEntry[], text: string, most: number): PaletteEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries.slice(0, most);
  const scored: { entry: PaletteEntry; score: number }[] = [];
  for (const entry of entries) {
    const label = entry.label.toLowerCase();
    const rest = `${entry.kind} ${entry.detail}`.toLowerCase();
    let score = 0;
    for (const word of words) {
      const position = label.indexOf(word);
      if (position === 0) score += 3;
      else if (position > 0) score += 2;
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
