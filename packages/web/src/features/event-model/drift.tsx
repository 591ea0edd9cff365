import type { CoverageView } from '../../live/wire.ts';
import { Section } from '../../ui/facts.tsx';

type Types = CoverageView['drift']['undeclared'];

type Props = { drift: CoverageView['drift']; onSelect: (slice: string) => void };

/** The differences between the model and the runs. */
export function Drift({ drift, onSelect }: Props) {
  return (
    <div className="flex flex-col gap-5 px-4 py-4">
      <div className="flex flex-col gap-1">
        <h2 className="font-semibold text-heading">Drift</h2>
        <p className="text-fg-3">Differences between the model and what ran. Choose a slice to see its scenarios.</p>
      </div>
      <Section title={`Touched, not declared (${drift.undeclared.length})`}>
        <List
          onSelect={onSelect}
          types={drift.undeclared}
          none="Everything that passing scenarios touched is in the model."
        />
      </Section>
      <Section title={`Declared, not touched (${drift.untouched.length})`}>
        <List
          onSelect={onSelect}
          types={drift.untouched}
          none="Every declared type was touched by a passing scenario."
        />
      </Section>
    </div>
  );
}

function List({ types, none, onSelect }: { types: Types; none: string; onSelect: Props['onSelect'] }) {
  if (types.length === 0) return <p className="text-fg-3">{none}</p>;
  return (
    <ul className="flex flex-col gap-1">
      {types.slice(0, most).map(({ fullName, name, slices }) => (
        <li key={fullName} className="flex flex-col">
          <code className="break-all font-mono text-code" title={fullName}>
            {name}
          </code>
          <span className="flex flex-wrap gap-x-2">
            {slices.slice(0, 6).map((slice) => (
              <button
                key={slice}
                type="button"
                onClick={() => onSelect(slice)}
                className="min-h-6 text-fg-3 text-xs underline decoration-dotted hover:text-fg"
              >
                {slice}
              </button>
            ))}
            {slices.length > 6 && <span className="text-fg-3 text-xs">and {slices.length - 6} more</span>}
          </span>
        </li>
      ))}
      {types.length > most && <li className="text-fg-3">and {types.length - most} more</li>}
    </ul>
  );
}

const most = 100;
