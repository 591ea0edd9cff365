import type { CoverageView } from '../../live/wire.ts';
import { Section } from '../../ui/facts.tsx';

type Types = CoverageView['drift']['undeclared'];

/** Where the model and what ran differ. */
export function Drift({ drift }: { drift: CoverageView['drift'] }) {
  return (
    <div className="flex flex-col gap-5 px-4 py-4">
      <p className="text-fg-3">Choose a slice to see what proves it. Below is where the model and what ran differ.</p>
      <Section title={`Touched, not declared (${drift.undeclared.length})`}>
        <List types={drift.undeclared} none="Everything that passing scenarios touched is in the model." />
      </Section>
      <Section title={`Declared, not touched (${drift.untouched.length})`}>
        <List types={drift.untouched} none="Every declared type was touched by a passing scenario." />
      </Section>
    </div>
  );
}

function List({ types, none }: { types: Types; none: string }) {
  if (types.length === 0) return <p className="text-fg-3">{none}</p>;
  return (
    <ul className="flex flex-col gap-1">
      {types.map(({ fullName, name, slices }) => (
        <li key={fullName} className="flex flex-col">
          <code className="break-all font-mono text-[11.5px]" title={fullName}>
            {name}
          </code>
          {slices.length > 0 && <span className="text-fg-3 text-xs">{slices.join(', ')}</span>}
        </li>
      ))}
    </ul>
  );
}
