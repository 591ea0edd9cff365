import type { LucideIcon } from 'lucide-react';

export type Choice<Value extends string> = { value: Value; label: string; icon?: LucideIcon };

/** A few views of the same thing; arrow keys move between them as in any radio group. */
export function Segmented<Value extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  const step = (by: number) => {
    const index = choices.findIndex((choice) => choice.value === value);
    const next = choices[(index + by + choices.length) % choices.length];
    if (next) onChange(next.value);
  };
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="inline-flex max-w-full shrink-0 overflow-x-auto overflow-y-hidden max-sm:flex-wrap max-sm:overflow-hidden rounded-[7px] border border-line-strong"
    >
      {choices.map((choice) => {
        const on = choice.value === value;
        const Icon = choice.icon;
        return (
          <button
            key={choice.value}
            type="button"
            role="radio"
            aria-checked={on}
            tabIndex={on ? 0 : -1}
            onClick={() => onChange(choice.value)}
            onKeyDown={(event) => {
              if (event.key === 'ArrowRight' || event.key === 'ArrowDown') step(1);
              else if (event.key === 'ArrowLeft' || event.key === 'ArrowUp') step(-1);
              else return;
              event.preventDefault();
              const group = event.currentTarget.parentElement;
              requestAnimationFrame(() => group?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus());
            }}
            className={`flex h-7 items-center gap-1.5 whitespace-nowrap border-line border-r px-2.5 max-xl:px-2 text-control last:border-r-0 max-sm:-mt-px max-sm:-ml-px max-sm:grow max-sm:justify-center max-sm:border-t max-sm:border-r-0 max-sm:border-l ${
              on ? 'bg-hover font-semibold text-fg' : 'bg-surface text-fg-2 hover:text-fg'
            }`}
          >
            {Icon && <Icon size={14} aria-hidden />}
            {choice.label}
          </button>
        );
      })}
    </div>
  );
}
