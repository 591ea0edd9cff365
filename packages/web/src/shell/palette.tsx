import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useStore } from 'zustand';
import { plansQuery, statusQuery } from '../features/plans/plan-queries.ts';
import type { Mode } from '../features/shared/mode.ts';
import { queryClient } from '../live/query-client.ts';
import { Kbd } from '../ui/page.tsx';
import { giveFocusBack } from '../ui/place.ts';
import { closeOverlay, openPalette, overlay } from './overlay.ts';
import { cachedEntries, rankEntries } from './palette-entries.ts';
import type { PaletteEntry } from './palette-entry.ts';

export function Palette({ mode }: { mode: Mode }) {
  const open = useStore(overlay, (state) => state.open === 'palette');
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      openPalette();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return open ? <PaletteDialog mode={mode} /> : null;
}

function PaletteDialog({ mode }: { mode: Mode }) {
  const [text, setText] = useState('');
  const [chosenKey, setChosen] = useState<string | null>(null);
  const [, go] = useLocation();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const read = useAllNodes(mode === 'whole' && text !== '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` changes when more entries are known
  const entries = useMemo(() => cachedEntries(mode), [mode, read]);
  const hits = useMemo(() => rankEntries(entries, text, 40), [entries, text]);
  // Stored by key and not by index, because results that arrive later may be sorted before it.
  const chosen = Math.max(
    0,
    hits.findIndex((entry) => keyOf(entry) === chosenKey),
  );
  useEffect(() => {
    const opened = dialog.current;
    const before = document.activeElement;
    opened?.showModal();
    return () => {
      opened?.close();
      giveFocusBack(before);
    };
  }, []);
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen, id]);

  const openEntry = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    closeOverlay();
    if ('href' in entry.target) go(entry.target.href);
    // Runs after the dialog has closed: the action may open another one, and the focus must return first.
    else setTimeout(entry.target.run);
  };
  const press = (event: KeyboardEvent) => {
    const to = { ArrowDown: chosen + 1, ArrowUp: chosen - 1 }[event.key];
    const next = to === undefined ? undefined : hits[to];
    if (to !== undefined) setChosen(next ? keyOf(next) : chosenKey);
    else if (event.key === 'Enter') openEntry(hits[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is the backdrop's; Escape does the same by key
    <dialog
      ref={dialog}
      aria-label="Jump to"
      onCancel={closeOverlay}
      onClick={(event) => event.target === event.currentTarget && closeOverlay()}
      className="appear mx-auto mt-[12vh] w-[calc(100vw-32px)] max-w-[600px] overflow-hidden rounded-xl border border-line-strong bg-surface p-0 shadow-pop"
    >
      <div className="flex items-center gap-2.5 border-line border-b px-4">
        <Search size={16} className="text-fg-3" aria-hidden />
        <input
          autoFocus
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={hits[chosen] ? `${id}-${chosen}` : undefined}
          aria-label="Jump to or do anything"
          placeholder="Jump to a plan, node, agent, run, or type what to do"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(null);
          }}
          onKeyDown={press}
          className="h-12 flex-1 bg-transparent text-heading outline-none placeholder:text-fg-3"
        />
        <Kbd>Esc</Kbd>
      </div>
      <div id={`${id}-list`} role="listbox" aria-label="Results" className="max-h-[46vh] overflow-y-auto p-1.5">
        {hits.map((entry, index) => (
          <PaletteHit key={keyOf(entry)} id={`${id}-${index}`} entry={entry} on={index === chosen} onOpen={openEntry} />
        ))}
      </div>
      {hits.length === 0 && (
        <p className="px-4 pb-5 text-center text-fg-3">
          {read === 'all' ? 'No results' : 'No results yet; still reading plans'}
        </p>
      )}
    </dialog>
  );
}

/** Reads the nodes of all plans, one plan after the other, once somebody types; opened plans are already cached. */
function useAllNodes(wanted: boolean): number | 'all' {
  const [read, setRead] = useState<number | 'all'>(wanted ? 0 : 'all');
  useEffect(() => {
    if (!wanted) return;
    let left = false;
    const readAll = async () => {
      setRead(0);
      const plans = queryClient.getQueryData(plansQuery().queryKey) ?? [];
      for (const [index, { slug }] of plans.entries()) {
        if (left) return;
        await queryClient.prefetchQuery(statusQuery(slug));
        setRead(index + 1);
      }
      setRead('all');
    };
    void readAll();
    return () => {
      left = true;
    };
  }, [wanted]);
  return read;
}

const keyOf = ({ target, kind, label }: PaletteEntry): string =>
  `${kind} ${'href' in target ? target.href : ''} ${label}`;

function PaletteHit({
  id,
  entry,
  on,
  onOpen: take,
}: {
  id: string;
  entry: PaletteEntry;
  on: boolean;
  onOpen: (entry: PaletteEntry) => void;
}) {
  const Icon = entry.icon;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the box above, which names the chosen option
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={on}
      onClick={() => take(entry)}
      className={`flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 ${on ? 'bg-hover' : 'hover:bg-hover'}`}
    >
      <Icon size={15} className="shrink-0 text-fg-3" aria-hidden />
      <span className="truncate font-medium">{entry.label}</span>
      <span className="min-w-0 flex-1 truncate font-mono text-fg-3 text-xs">{entry.detail}</span>
      <span className="text-fg-3 text-xs">{entry.kind}</span>
    </div>
  );
}
