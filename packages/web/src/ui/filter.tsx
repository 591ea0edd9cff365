import { Search } from 'lucide-react';
import { useRef } from 'react';
import { Kbd } from './page.tsx';
import { useKeys } from './use-keys.ts';

/** The filter of a list; `/` focuses it, Escape clears and leaves it. */
export function Filter({
  value,
  onChange,
  label,
}: {
  value: string;
  onChange: (value: string) => void;
  label: string;
}) {
  const box = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => box.current?.focus() });
  return (
    <span className="flex h-7 w-[250px] min-w-0 items-center gap-2 rounded-md border border-line-strong bg-surface px-2.5 focus-within:border-accent">
      <Search size={14} className="shrink-0 text-fg-3" aria-hidden />
      <input
        ref={box}
        type="text"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          onChange('');
          event.currentTarget.blur();
        }}
        className="min-w-0 flex-1 bg-transparent text-control outline-none placeholder:text-fg-3"
      />
      {value === '' && <Kbd>/</Kbd>}
    </span>
  );
}
