import type { EventModelView, SliceView } from '../../live/wire.ts';
import { StateLabel } from '../../ui/appearance.tsx';
import type { Column } from '../../ui/table.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { evidenceAppearance } from './evidence-appearance.ts';

const keyOf = ({ name }: SliceView): string => name;
const labelsOf = (slice: SliceView, ...kinds: string[]): string =>
  slice.elements
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ label }) => label)
    .join(', ');

const columns: readonly Column<SliceView>[] = [
  {
    id: 'evidence',
    head: 'Evidence',
    width: '112px',
    cell: ({ evidence }) => <StateLabel appearance={evidenceAppearance[evidence.state]} />,
  },
  {
    id: 'slice',
    head: 'Slice',
    title: true,
    width: 'minmax(160px,2fr)',
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  {
    id: 'chapter',
    head: 'Chapter',
    width: 'minmax(80px,1fr)',
    cell: ({ chapter }) => <span className="text-fg-2">{chapter}</span>,
  },
  {
    id: 'pattern',
    head: 'Pattern',
    width: '84px',
    cell: ({ pattern }) => <span className="text-fg-2">{pattern}</span>,
  },
  {
    id: 'command',
    head: 'Command',
    width: 'minmax(90px,1fr)',
    labelled: true,
    cell: (slice) => labelsOf(slice, 'Command', 'Handler'),
  },
  {
    id: 'events',
    head: 'Events',
    width: 'minmax(110px,1.4fr)',
    labelled: true,
    cell: (slice) => labelsOf(slice, 'Event', 'Message'),
  },
  {
    id: 'views',
    head: 'Read models',
    width: 'minmax(90px,1fr)',
    labelled: true,
    cell: (slice) => labelsOf(slice, 'ReadModel', 'Projection'),
  },
  {
    id: 'specs',
    head: 'Specs',
    width: '44px',
    right: true,
    labelled: true,
    cell: ({ evidence }) => String(evidence.specifications.length),
  },
];

/** The same slices as a table. */
export function SlicesTable({
  model,
  selected,
  onSelect,
}: {
  model: EventModelView;
  selected: string | null;
  onSelect: (slice: string) => void;
}) {
  return (
    <VirtualTable
      label={`Slices of ${model.name}`}
      rows={model.slices}
      keyOf={keyOf}
      columns={columns}
      rowHeight={30}
      selected={selected}
      onSelect={onSelect}
    />
  );
}
