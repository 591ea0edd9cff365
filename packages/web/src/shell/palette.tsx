import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useStore } from 'zustand';
import type { Mode } from '../live/mode.ts';
import { Kbd } from '../ui/page.tsx';
import { type Entry, knownEntries, rank } from './entries.ts';
import { closeOverlay, openPalette, overlay } from './open.ts';

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
  return open ? <Open mode={mode} /> : null;
}

function Open({ mode }: { mode: Mode }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [, go] = useLocation();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const entries = useMemo(() => knownEntries(mode), [mode]);
  const hits = useMemo(() => rank(entries, text, 40), [entries, text]);
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen, id]);

  const take = (entry: Entry | undefined) => {
    if (!entry) return;
    closeOverlay();
    go(entry.href);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setChosen((index) => Math.min(index + 1, hits.length - 1));
    else if (event.key === 'ArrowUp') setChosen((index) => Math.max(index - 1, 0));
    else if (event.key === 'Enter') take(hits[chosen]);
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
          aria-label="Jump to plan, node, agent, run"
          placeholder="Jump to plan, node, agent, run"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(0);
          }}
          onKeyDown={press}
          className="h-12 flex-1 bg-transparent text-[14px] outline-none placeholder:text-fg-3"
        />
        <Kbd>Esc</Kbd>
      </div>
      <div id={`${id}-list`} role="listbox" aria-label="Results" className="max-h-[46vh] overflow-y-auto p-1.5">
        {hits.map((entry, index) => (
          <Hit key={entry.href + entry.kind} id={`${id}-${index}`} entry={entry} on={index === chosen} take={take} />
        ))}
      </div>
      {hits.length === 0 && <p className="px-4 pb-5 text-center text-fg-3">Nothing known by that name.</p>}
    </dialog>
  );
}

function Hit({ id, entry, on, take }: { id: string; entry: Entry; on: boolean; take: (entry: Entry) => void }) {
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
      <span className="min-w-0 flex-1 truncate font-mono text-fg-3 text-xs">
        {entry.kind === 'Page' ? '' : entry.says}
      </span>
      <span className="text-fg-3 text-xs">{entry.kind}</span>
    </div>
  );
}
