import { Link2Off, Zap } from 'lucide-react';
import type { NodeView } from '../../live/wire.ts';
import { StateLabel } from '../../ui/appearance.tsx';
import type { Column } from '../../ui/table.tsx';
import { LeaseMeter } from './lease-meter.tsx';
import { claimAppearance, nodeAppearance, nodeUrgency } from './node-appearance.ts';

/** Columns that every table of nodes has. */
export const nodeColumns = {
  state: {
    id: 'state',
    head: 'State',
    width: '100px',
    sort: nodeUrgency,
    cell: (node) => <StateLabel appearance={nodeAppearance(node)} />,
  },
  claim: {
    id: 'claim',
    head: 'Claimed by',
    width: 'minmax(100px,1fr)',
    sort: ({ claim }) => claim?.agent,
    cell: ({ claim }) =>
      claim && (
        <span className="flex items-center gap-1.5">
          <span className="truncate">{claim.agent}</span>
          {claim.health === 'unlinked' && (
            <Link2Off size={13} className="shrink-0 text-fg-3" role="img" aria-label="unlinked" />
          )}
        </span>
      ),
  },
  lease: {
    id: 'lease',
    head: 'Lease',
    width: 'var(--lease-width)',
    labelled: true,
    sort: ({ claim }) => claim?.expiresAt,
    cell: ({ claim }) =>
      claim && <LeaseMeter from={claim.claimedAt} until={claim.expiresAt} tone={claimAppearance(claim.health).tone} />,
  },
  leverage: {
    id: 'leverage',
    head: 'Leverage',
    width: '62px',
    labelled: true,
    sort: ({ leverage }) => leverage || null,
    descendingFirst: true,
    cell: ({ leverage }) =>
      leverage > 0 && (
        <span className="tone-warn inline-flex items-center gap-1 font-medium">
          <Zap size={12} className="text-tone-text" aria-hidden />
          {leverage}
        </span>
      ),
  },
} satisfies Record<string, Column<NodeView>>;
