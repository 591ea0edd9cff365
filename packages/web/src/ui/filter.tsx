import { Search } from 'lucide-react';
import { useId, useRef } from 'react';
import { Kbd } from './page.tsx';
import { focusPage } from './place.ts';
import { useKeys } from './use-keys.ts';

const none: readonly string[] = [];

/** The filter of a list; `/` focuses it, Enter leaves it for the list, Escape clears and leaves it. */
export function Filter({
  value,
  onChange,
  label,
  suggestions = none,
}: {
  value: string;
  onChange: (value: string) => void;
  label: string;
  /** Complete filters to suggest. */
  suggestions?: readonly string[];
}) {
  const list = useId();
  const box = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => box.current?.focus() });
  return (
    <span className="flex h-7 w-[250px] min-w-[140px] items-center gap-2 rounded-md border border-edge bg-surface px-2.5 focus-within:border-accent">
      <Search size={14} className="shrink-0 text-fg-3" aria-hidden />
      <input
        ref={box}
        type="text"
        aria-label={label}
        list={suggestions.length > 0 ? list : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('');
          if (event.key === 'Escape' || event.key === 'Enter') focusPage();
        }}
        className="min-w-0 flex-1 bg-transparent text-control outline-none placeholder:text-fg-3"
      />
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {value === '' && <Kbd>/</Kbd>}
    </span>
  );
}
