import { ArrowLeft, ArrowRight, ScanSearch, X } from 'lucide-react';
import { Link } from 'wouter';
import type { EventModelView, SliceView } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { appearances, StateIcon, StateLabel } from '../../ui/appearance.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Fact, Section } from '../../ui/facts.tsx';
import { Chip } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time.tsx';
import { evidenceAppearance } from './evidence-appearance.ts';

const verdictAppearance = (outcome: string | null) => {
  if (outcome === null) return appearances.pending;
  if (outcome === 'PassOnRetry') return appearances.passedOnRetry;
  return outcome === 'CleanPass' ? appearances.passed : appearances.failed;
};

const kindLabels: Record<string, string> = { ReadModel: 'Read model', ExternalSystem: 'System' };

type Props = {
  slice: SliceView;
  model: EventModelView;
  focused: boolean;
  onFocus: () => void;
  onSelect: (slice: string | null) => void;
};

/** One slice: its evidence, its elements and the slices that it is linked with. */
export function SlicePanel({ slice, model, focused, onFocus, onSelect }: Props) {
  const appearance = evidenceAppearance[slice.evidence.state];
  const links = model.links.filter(({ fromSlice, toSlice }) => fromSlice === slice.name || toSlice === slice.name);
  return (
    <div className="flex flex-col gap-5 px-4 py-4">
      <div className="flex items-start gap-2">
        <h2 className="min-w-0 flex-1 break-words font-semibold text-heading">{slice.name}</h2>
        <IconButton
          icon={ScanSearch}
          label={focused ? 'Show all slices' : 'Show only linked slices'}
          aria-pressed={focused}
          onClick={onFocus}
        />
        <IconButton icon={X} label="Close" onClick={() => onSelect(null)} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <StateLabel appearance={appearance} />
        {[...new Set([slice.pattern, slice.domain, slice.chapter])].map(
          (label) => label && <Chip key={label}>{label}</Chip>,
        )}
      </div>
      <Section title="Specifications">
        {slice.evidence.specifications.length === 0 && (
          <p className="text-fg-3">No scenarios yet. Name this slice in a scenario, and its result appears here.</p>
        )}
        <ul className="flex flex-col gap-1.5">
          {slice.evidence.specifications.map(({ identity, outcome, at, runId }) => (
            <li key={identity} className="flex items-start gap-2">
              <span className="mt-0.5">
                <StateIcon appearance={verdictAppearance(outcome)} />
              </span>
              <span className="min-w-0 flex-1 break-words">
                {runId ? (
                  <Link href={paths.run(runId, identity)} className="underline decoration-dotted">
                    {identity}
                  </Link>
                ) : (
                  identity
                )}
                <span className="block text-fg-3 text-sm">
                  {outcome === null ? 'no verdict yet' : verdictAppearance(outcome).label}{' '}
                  {at && <TimeAgo at={at} suffix=" ago" />}
                </span>
              </span>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Made of">
        {slice.elements.map(({ id, kind, label }) => (
          <Fact key={id} name={kindLabels[kind] ?? kind}>
            {label}
          </Fact>
        ))}
      </Section>
      {links.length > 0 && (
        <Section title="Linked slices">
          {links.map((link) => {
            const out = link.fromSlice === slice.name;
            const Icon = out ? ArrowRight : ArrowLeft;
            const other = out ? link.toSlice : link.fromSlice;
            return (
              <button
                type="button"
                key={link.fromElementId + link.toElementId}
                onClick={() => onSelect(other)}
                className="flex min-h-6 items-center gap-2 rounded text-left hover:underline"
              >
                <Icon size={13} role="img" aria-label={out ? 'to' : 'from'} className="shrink-0" />
                <span>
                  {other} <span className="text-fg-3">by {link.via.name}</span>
                </span>
              </button>
            );
          })}
        </Section>
      )}
    </div>
  );
}
