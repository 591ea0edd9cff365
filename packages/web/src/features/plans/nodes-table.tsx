import { Link2Off, Zap } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { NodeView, PlanStatus } from '../../live/wire.ts';
import { Lease } from '../../node/lease.tsx';
import { claimLook, nodeLook, urgency } from '../../node/look.ts';
import { bindingText, evidenceText } from '../../node/words.ts';
import { Button } from '../../ui/button.tsx';
import { Filter } from '../../ui/filter.tsx';
import { useParam } from '../../ui/search-params.ts';
import { StateLabel } from '../../ui/tone.tsx';
import { type Column, VirtualTable } from '../../ui/virtual-table.tsx';

const columns: readonly Column<NodeView>[] = [
  { id: 'state', head: 'State', width: '100px', cell: (node) => <StateLabel look={nodeLook(node)} /> },
  {
    id: 'title',
    head: 'Node',
    width: 'minmax(180px,2fr)',
    cell: (node) => (
      <span className="flex items-baseline gap-2">
        <span className="truncate font-medium">{node.title}</span>
        <span className="shrink-0 truncate font-mono text-[11px] text-fg-3">{node.id}</span>
      </span>
    ),
  },
  {
    id: 'claim',
    head: 'Claim',
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
    id: 'leverage',
    head: 'Unblocks',
    width: '62px',
    right: true,
    cell: ({ leverage }) =>
      leverage > 0 && (
        <span className="tone-warn inline-flex items-center gap-1">
          <Zap size={12} className="text-tone-text" aria-hidden />
          {leverage}
        </span>
      ),
  },
  {
    id: 'needs',
    head: 'Needs',
    width: '52px',
    right: true,
    cell: ({ dependsOn }) =>
      dependsOn.length > 0 && (
        <span className="font-mono text-[11.5px] text-fg-2">
          {dependsOn.filter(({ done }) => done).length}/{dependsOn.length}
        </span>
      ),
  },
  {
    id: 'proof',
    head: 'Proof',
    width: 'minmax(90px,1.2fr)',
    cell: ({ binding, evidence }) => (
      <span className="text-fg-3">
        {bindingText(binding)}
        {evidence && `, ${evidenceText(evidence)}`}
      </span>
    ),
  },
];

const keyOf = (node: NodeView): string => node.id;

/** Every node of the plan, drawn as it scrolls. */
export function NodesTable({ status }: { status: PlanStatus }) {
  const [selected, select] = useParam('node');
  const [text, setText] = useState('');
  const [attention, setAttention] = useState(true);
  const rows = useMemo(() => {
    const wanted = text.toLowerCase();
    const shown = status.nodes.filter((node) =>
      `${node.title} ${node.id} ${node.claimedBy ?? ''} ${node.labels.join(' ')} ${nodeLook(node).label}`
        .toLowerCase()
        .includes(wanted),
    );
    return attention ? shown.toSorted((a, b) => urgency(a) - urgency(b) || b.leverage - a.leverage) : shown;
  }, [status.nodes, text, attention]);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-[18px] py-2.5">
        <Filter value={text} onChange={setText} label="Filter nodes" />
        <Button kind={attention ? 'on' : 'plain'} aria-pressed={attention} onClick={() => setAttention(!attention)}>
          Attention first
        </Button>
        <span className="ml-auto text-fg-3">
          {rows.length === status.nodes.length
            ? `${rows.length} nodes`
            : `${rows.length} of ${status.nodes.length} nodes`}
        </span>
      </div>
      <VirtualTable
        label={`Nodes of ${status.title}`}
        rows={rows}
        keyOf={keyOf}
        columns={columns}
        selected={rows.find((node) => node.id.toLowerCase() === selected?.toLowerCase())?.id ?? null}
        onSelect={select}
      />
    </div>
  );
}
