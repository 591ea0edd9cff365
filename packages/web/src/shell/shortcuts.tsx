import { useRef } from 'react';
import { useLocation } from 'wouter';
import { useStore } from 'zustand';
import type { Mode } from '../features/shared/mode.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Kbd } from '../ui/page.tsx';
import { arrive } from '../ui/place.ts';
import { allowShortcuts, chooseTheme, settings } from '../ui/settings.ts';
import { useKeys } from '../ui/use-keys.ts';
import { navItems } from './nav-items.ts';
import { closeOverlay, openShortcuts, overlay } from './overlay.ts';

type Shortcut = readonly [names: readonly string[], description: string, only?: 'whole'];

const list: readonly Shortcut[] = [
  [['Ctrl', 'K'], 'Jump to anything'],
  [['?'], 'These shortcuts'],
  [['D'], 'Dark or light'],
  [['/'], 'Filter the list'],
  [['J'], 'Next row'],
  [['K'], 'Previous row'],
  [['Enter'], 'Open the row'],
  [['Esc'], 'Close, or leave the filter'],
  [['Ctrl', 'Z'], 'Undo the last change', 'whole'],
  [['Z'], 'Recent changes', 'whole'],
  [['V'], 'Plan as graph', 'whole'],
  [['T'], 'Plan as table', 'whole'],
  [['H'], 'Plan history', 'whole'],
  [['N'], 'Next failure of a run'],
  [['Y'], 'Copy the command: rerun of a test, way to a session'],
  [['X'], 'Choose a run of the list to compare'],
  [['C'], 'Compare the two chosen runs'],
  [['←', '→'], 'Along a lane of the timeline'],
  [['↑', '↓'], 'To the lane beside it'],
  [['C'], 'Critical path', 'whole'],
  [['F'], 'Focus on what is chosen'],
  [['X'], 'Fold finished work', 'whole'],
  [['O'], 'Outline beside the graph', 'whole'],
  [['L'], 'Draw a dependency from the chosen card', 'whole'],
];

export function Shortcuts({ mode }: { mode: Mode }) {
  const isOpen = useStore(overlay, (state) => state.open === 'shortcuts');
  const [path, go] = useLocation();
  const leader = useRef(0);
  const open = (href: string) => {
    // One G leads one key: `G R N` opens the runs, and then the next failure.
    leader.current = 0;
    if (path === href) arrive();
    else go(href);
  };
  useKeys({
    '?': openShortcuts,
    d: () => chooseTheme(settings.getState().theme === 'dark' ? 'light' : 'dark'),
    g: () => {
      leader.current = Date.now();
    },
    ...Object.fromEntries(
      navItems(mode).map(({ key, href }) => [key, () => Date.now() - leader.current < 1200 && open(href)]),
    ),
  });
  const shortcuts = useStore(settings, (state) => state.shortcuts);
  if (!isOpen) return null;
  const shown = [
    ...list.filter(([, , only]) => only === undefined || only === mode),
    ...navItems(mode).map(({ key, label }): Shortcut => [['G', key.toUpperCase()], label]),
  ];
  return (
    <Dialog title="Shortcuts" onClose={closeOverlay}>
      <label className="mb-4 flex items-center gap-2">
        <input
          type="checkbox"
          checked={shortcuts}
          onChange={(event) => allowShortcuts(event.target.checked)}
          className="size-4 accent-(--accent)"
        />
        Shortcuts of one character. Ctrl K, Ctrl Z, Enter, Esc and the arrows always work.
      </label>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-2">
        {shown.map(([names, description]) => (
          <div key={description} className="flex items-center gap-2">
            <dt className="flex w-[76px] shrink-0 gap-1">
              {names.map((name) => (
                <Kbd key={name}>{name}</Kbd>
              ))}
            </dt>
            <dd className="text-fg-2">{description}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
