import { Activity, Bot, Clipboard, FileUp, ListTodo, type LucideIcon, Plus, SunMoon, Undo2, Zap } from 'lucide-react';
import { needAppearances } from '../features/home/need-appearance.ts';
import { needsQuery } from '../features/home/needs-queries.ts';
import { runsQuery } from '../features/runs/run-queries.ts';
import { meQuery } from '../features/shared/me.ts';
import type { Mode } from '../features/shared/mode.ts';
import { commandsFor } from '../features/shared/pasted-commands.ts';
import { queryClient } from '../live/query-client.ts';
import { paths } from '../paths.ts';
import { copyToClipboard } from '../ui/copy-button.tsx';
import { currentPageActions } from '../ui/page-actions.ts';
import { toggleTheme } from '../ui/settings.ts';
import { showToast } from '../ui/toasts.tsx';
import { openRecentChanges } from './overlay.ts';
import type { PaletteEntry } from './palette-entry.ts';

const goTo = (label: string, icon: LucideIcon, href: string, detail = ''): PaletteEntry => ({
  label,
  icon,
  detail,
  kind: 'Go',
  target: { href },
});

const act = (label: string, icon: LucideIcon, run: () => void, kind = 'Do'): PaletteEntry => ({
  label,
  icon,
  detail: '',
  kind,
  target: { run },
});

const copy = (label: string, text: string): PaletteEntry =>
  act(label, Clipboard, () => {
    void copyToClipboard(text).then((copied) =>
      showToast(copied ? `Copied: ${text}` : `The browser does not allow copying. Copy it by hand: ${text}`),
    );
  });

/** The available actions: first those of the open page, then those of the whole product. */
export function verbs(mode: Mode): PaletteEntry[] {
  const here = currentPageActions().map(({ label, icon, run }) => act(label, icon, run, 'On this page'));
  const theme = act('Switch theme', SunMoon, toggleTheme);
  const run = newestRun();
  const commands = commandsFor(queryClient.getQueryData(meQuery().queryKey), location);
  const everywhere = [...(run ? [run] : []), theme, copy('Copy the command that runs tests', commands.run)];
  if (mode === 'console') return [...here, ...everywhere];
  return [
    ...here,
    goTo('New plan', Plus, paths.newPlan),
    goTo('Import a plan', FileUp, paths.importPlan),
    goTo('Claim next ready', Zap, paths.claimNext),
    act('Recent changes', Undo2, openRecentChanges),
    ...states(),
    ...everywhere,
    copy('Copy the MCP line for Claude Code', commands.mcp),
    copy('Copy the command that connects a repository', commands.connect),
  ];
}

/** The states that somebody may look for, each with its count. */
function states(): PaletteEntry[] {
  const answer = queryClient.getQueryData(needsQuery().queryKey);
  if (!answer) return [];
  const { needs, counts } = answer;
  const needed = Object.entries(needAppearances).flatMap(([kind, { appearance, group }]) => {
    const count = needs.filter((need) => need.kind === kind).length;
    return count === 0
      ? []
      : [goTo(`Go to: ${group.toLowerCase()}`, appearance.icon, paths.needs(kind), String(count))];
  });
  return [
    ...needed,
    goTo('Go to: ready nodes', ListTodo, paths.readyOnly, String(counts.ready)),
    goTo('Go to: claimed nodes', ListTodo, paths.claimed, String(counts.claimed)),
    goTo('Go to: live sessions', Bot, paths.liveSessions, String(counts.sessions)),
  ];
}

function newestRun(): PaletteEntry | null {
  const runs = queryClient.getQueryData(runsQuery().queryKey) ?? [];
  const live = runs.find(({ state }) => state === 'running');
  const newest = live ?? runs[0];
  return newest
    ? goTo(`Open the ${live ? 'live' : 'newest'} run`, Activity, paths.run(newest.runId), newest.suite)
    : null;
}
