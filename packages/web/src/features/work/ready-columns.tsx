import type { NodeView } from '../../live/wire.ts';
import { Chip } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { withLocalTimes } from '../../ui/time.tsx';
import { nodeColumns } from '../nodes/node-columns.tsx';
import { bindingText } from '../nodes/node-text.ts';
import { Unbound } from '../nodes/unbound.tsx';

export type RankedNode = NodeView & { rank: number };

export const readyColumns: readonly Column<RankedNode>[] = [
  {
    id: 'rank',
    head: '#',
    width: '30px',
    labelled: true,
    sort: ({ rank }) => rank,
    right: true,
    cell: ({ rank }) => <span className="font-mono text-code text-fg-3">{rank}</span>,
  },
  nodeColumns.state,
  nodeColumns.leverage,
  {
    id: 'title',
    head: 'Node',
    title: true,
    width: 'minmax(180px,2fr)',
    sort: ({ title }) => title,
    cell: (node) => (
      <span className="flex flex-col leading-[1.35]">
        <span className="flex items-center gap-1.5">
          <span dir="auto" className="truncate font-medium">
            {node.title}
          </span>
          {node.priority !== 'normal' && <Chip>{node.priority}</Chip>}
          {node.parked && <Chip title={withLocalTimes(node.why)}>parked</Chip>}
        </span>
        <span className="truncate font-mono text-caption text-fg-3">{node.ref}</span>
      </span>
    ),
  },
  {
    id: 'repository',
    head: 'Repository',
    width: 'minmax(90px,1fr)',
    sort: ({ repository }) => repository,
    cell: ({ repository }) => repository && <span className="text-fg-2">{repository}</span>,
  },
  nodeColumns.claim,
  nodeColumns.lease,
  {
    id: 'proof',
    head: 'Proof',
    width: 'minmax(80px,1fr)',
    sort: ({ binding }) => binding && bindingText(binding),
    cell: ({ binding, unbound }) => (unbound ? <Unbound /> : <span className="text-fg-3">{bindingText(binding)}</span>),
  },
];
