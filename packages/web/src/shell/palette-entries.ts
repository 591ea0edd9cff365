import { Activity, Bot, CircleDot, FolderGit2, type LucideIcon, Map as MapIcon } from 'lucide-react';
import { boardQuery } from '../features/agents/agent-queries.ts';
import { sessionAppearance } from '../features/agents/session-appearance.ts';
import { nodeAppearance } from '../features/nodes/node-appearance.ts';
import { plansQuery, statusQuery } from '../features/plans/plan-queries.ts';
import { repositoriesQuery } from '../features/repositories/repository-queries.ts';
import { runsQuery } from '../features/runs/run-queries.ts';
import type { Mode } from '../features/shared/mode.ts';
import { readyQuery } from '../features/work/work-queries.ts';
import { queryClient } from '../live/query-client.ts';
import type { NodeView } from '../live/wire.ts';
import { paths } from '../paths.ts';
import { navItems } from './nav-items.ts';
import type { PaletteEntry } from './palette-entry.ts';
import { verbs } from './palette-verbs.ts';

/** Everything in the cache that can be opened; nothing is fetched, so the palette opens at once. */
export function cachedEntries(mode: Mode): PaletteEntry[] {
  const entries: PaletteEntry[] = navItems(mode).map(({ href, label, icon }) => ({
    target: { href },
    label,
    detail: '',
    kind: 'Page',
    icon,
  }));
  const ofPage = verbs(mode);
  entries.unshift(...ofPage.filter(({ kind }) => kind === 'On this page'));
  entries.push(...ofPage.filter(({ kind }) => kind !== 'On this page'));
  const add = (kind: string, icon: LucideIcon, href: string, label: string, detail: string) =>
    entries.push({ kind, icon, target: { href }, label, detail });
  const plans = queryClient.getQueryData(plansQuery().queryKey) ?? [];

  const nodes = new Map<string, NodeView>();
  for (const node of queryClient.getQueryData(readyQuery().queryKey) ?? []) nodes.set(node.ref, node);
  for (const { slug } of plans)
    for (const node of queryClient.getQueryData(statusQuery(slug).queryKey)?.nodes ?? []) nodes.set(node.ref, node);

  for (const { slug, title } of plans) add('Plan', MapIcon, paths.plan(slug), title, slug);
  for (const node of nodes.values())
    add(
      'Node',
      CircleDot,
      paths.node(node.plan, node.id),
      node.title,
      [node.ref, nodeAppearance(node).label.toLowerCase(), node.claimedBy].filter(Boolean).join(' '),
    );
  for (const session of queryClient.getQueryData(boardQuery().queryKey)?.sessions ?? [])
    add(
      'Session',
      Bot,
      paths.session(session.sessionId),
      session.title ?? session.sessionId.slice(0, 8),
      `${sessionAppearance(session).label.toLowerCase()} ${session.tool} ${session.cwd ?? ''}`,
    );
  for (const { owner, name, description } of queryClient.getQueryData(repositoriesQuery().queryKey) ?? [])
    add('Repository', FolderGit2, paths.repository(owner, name), `${owner}/${name}`, description ?? '');
  for (const { runId, suite, tag, branch } of queryClient.getQueryData(runsQuery().queryKey) ?? [])
    add('Run', Activity, paths.run(runId), suite, `${tag ?? ''} ${branch ?? ''} ${runId}`.trim());
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
