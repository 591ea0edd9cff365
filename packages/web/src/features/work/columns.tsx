import { Link2Off, Zap } from 'lucide-react';
import type { NodeView } from '../../live/wire.ts';
import { Lease } from '../../node/lease.tsx';
import { claimLook, nodeLook } from '../../node/look.ts';
import { bindingText } from '../../node/words.ts';
import { Chip } from '../../ui/page.tsx';
import { StateLabel } from '../../ui/tone.tsx';
import type { Column } from '../../ui/virtual-table.tsx';

export type Ranked = NodeView & { rank: number };

export const columns: readonly Column<Ranked>[] = [
  {
    id: 'rank',
    head: '#',
    width: '30px',
    right: true,
    cell: ({ rank }) => <span className="font-mono text-[11.5px] text-fg-3">{rank}</span>,
  },
  { id: 'state', head: 'State', width: '100px', cell: (node) => <StateLabel look={nodeLook(node)} /> },
  {
    id: 'leverage',
    head: 'Unblocks',
    width: '62px',
    right: true,
    cell: ({ leverage }) => (
      <span className="tone-warn inline-flex items-center gap-1 font-medium">
        <Zap size={12} className="text-tone-text" aria-hidden />
        {leverage}
      </span>
    ),
  },
  {
    id: 'title',
    head: 'Node',
    width: 'minmax(180px,2fr)',
    cell: (node) => (
      <span className="flex flex-col leading-[1.35]">
        <span className="truncate font-medium">{node.title}</span>
        <span className="truncate font-mono text-[11px] text-fg-3">{node.ref}</span>
      </span>
    ),
  },
  {
    id: 'repository',
    head: 'Repository',
    width: 'minmax(90px,1fr)',
    cell: ({ repository }) => <span className="text-fg-2">{repository}</span>,
  },
  {
    id: 'claim',
    head: 'Claimed by',
    width: 'minmax(100px,1fr)',
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
  {
    id: 'lease',
    head: 'Lease',
    width: '122px',
    cell: ({ claim }) =>
      claim && <Lease from={claim.claimedAt} until={claim.expiresAt} tone={claimLook(claim.health).tone} />,
  },
  {
    id: 'proof',
    head: 'Proof',
    width: 'minmax(80px,1fr)',
    cell: ({ binding, unbound }) =>
      unbound ? <Chip>unbound</Chip> : <span className="text-fg-3">{bindingText(binding)}</span>,
  },
];
