import { X } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { usePlanStatus } from '../plans/plan-queries.ts';
import { listIn, shortened } from './node-draft.ts';

/** The nodes that a node waits for: picked from the plan by title or id, or typed as plan/node for another plan. */
export function DependencyField({
  plan,
  own,
  value,
  typed,
  fault,
  onChange,
}: {
  plan: string;
  /** The id of the node itself, which cannot wait for itself. */
  own: string;
  value: readonly string[];
  /** Text that is typed but not picked yet; it counts when the form is sent. */
  typed: string;
  fault: string | undefined;
  onChange: (value: readonly string[], typed: string) => void;
}) {
  const id = useId();
  const nodes = usePlanStatus(plan).data?.nodes ?? [];
  const [open, setOpen] = useState(false);
  const wanted = typed.toLowerCase();
  const choices = nodes.filter(
    (node) =>
      node.id !== own &&
      !value.includes(shortened(node.ref, plan)) &&
      `${node.title} ${node.id}`.toLowerCase().includes(wanted),
  );
  const add = (refs: readonly string[]) => {
    setOpen(false);
    onChange([...new Set([...value, ...refs])], '');
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && typed === '' && value.length > 0) return onChange(value.slice(0, -1), '');
    if ((event.key !== 'Enter' && event.key !== ',') || typed.trim() === '') return;
    event.preventDefault();
    const [first] = choices;
    add(first && !typed.includes('/') && !nodes.some((node) => node.id === typed) ? [first.id] : listIn(typed));
  };
  return (
    <div className="relative flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium text-fg-2 text-sm">
        Waits for
      </label>
      <div
        className={`flex min-h-8 flex-wrap items-center gap-1.5 rounded-md border bg-bg px-2 py-1 ${fault ? 'border-[var(--fail)]' : 'border-edge'}`}
      >
        {value.map((ref) => (
          <Picked
            key={ref}
            title={nodes.find((node) => shortened(node.ref, plan) === ref)?.title ?? ref}
            onRemove={() =>
              onChange(
                value.filter((other) => other !== ref),
                typed,
              )
            }
          />
        ))}
        <input
          id={id}
          autoComplete="off"
          spellCheck={false}
          role="combobox"
          aria-expanded={open && choices.length > 0}
          aria-controls={`${id}-choices`}
          {...(fault ? { 'aria-invalid': true, 'aria-describedby': `${id}-fault` } : {})}
          placeholder={value.length === 0 ? 'title or id, or plan/node' : ''}
          value={typed}
          onBlur={() => setOpen(false)}
          onChange={(event) => {
            setOpen(event.target.value !== '');
            onChange(value, event.target.value);
          }}
          onKeyDown={press}
          className="min-w-[120px] flex-1 bg-transparent outline-none"
        />
      </div>
      <div
        id={`${id}-choices`}
        role="listbox"
        aria-label="Nodes to wait for"
        className={
          open && choices.length > 0
            ? 'absolute inset-x-0 top-full z-20 mt-1 flex flex-col rounded-lg border border-line-strong bg-raised p-1 shadow-pop'
            : 'contents'
        }
      >
        {open &&
          choices.slice(0, 6).map((node) => (
            <button
              key={node.ref}
              type="button"
              role="option"
              aria-selected={false}
              tabIndex={-1}
              // Without this, the field would lose the focus and the list would close before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => add([node.id])}
              className="flex items-baseline gap-2 rounded px-2 py-1 text-left hover:bg-hover"
            >
              <span className="truncate">{node.title}</span>
              <span className="font-mono text-caption text-fg-3">{node.id}</span>
            </button>
          ))}
      </div>
      {fault && (
        <p id={`${id}-fault`} className="tone-fail text-sm text-tone-text">
          {fault}
        </p>
      )}
    </div>
  );
}

function Picked({ title, onRemove }: { title: string; onRemove: () => void }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1 rounded bg-hover px-1.5 py-0.5 text-sm">
      <span className="truncate">{title}</span>
      <button
        type="button"
        aria-label={`Do not wait for ${title}`}
        onClick={onRemove}
        className="grid size-6 place-items-center rounded hover:text-fg"
      >
        <X size={12} aria-hidden />
      </button>
    </span>
  );
}
