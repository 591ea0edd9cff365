import { ShortcutsChoice } from '../features/settings/shortcuts-choice.tsx';
import type { Mode } from '../features/shared/mode.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Kbd } from '../ui/page.tsx';
import { navItems } from './nav-items.ts';
import { closeOverlay } from './overlay.ts';

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

export function ShortcutsDialog({ mode }: { mode: Mode }) {
  const shown = [
    ...list.filter(([, , only]) => only === undefined || only === mode),
    ...navItems(mode).map(({ key, label }): Shortcut => [['G', key.toUpperCase()], label]),
  ];
  return (
    <Dialog title="Shortcuts" onClose={closeOverlay}>
      <div className="mb-4">
        <ShortcutsChoice />
      </div>
      <dl className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
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
