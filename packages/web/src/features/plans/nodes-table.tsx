import { X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { NodeView } from '../../live/wire.ts';
import { Button } from '../../ui/button.tsx';
import { Filter } from '../../ui/filter.tsx';
import { countWithNoun, formatCount } from '../../ui/format-count.ts';
import type { Column } from '../../ui/table.tsx';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { nodeAppearance, nodeUrgency } from '../nodes/node-appearance.ts';
import { nodeColumns } from '../nodes/node-columns.tsx';
import { bindingText, evidenceText } from '../nodes/node-text.ts';
import { Unbound } from '../nodes/unbound.tsx';

const columns: readonly Column<NodeView>[] = [
  nodeColumns.state,
  {
    id: 'title',
    head: 'Node',
    title: true,
    width: 'minmax(180px,2fr)',
    sort: ({ title }) => title,
    cell: (node) => (
      <span className="flex items-baseline gap-2">
        <span dir="auto" className="truncate font-medium">
          {node.title}
        </span>
        <span className="max-w-[45%] shrink-0 truncate font-mono text-caption text-fg-3">{node.id}</span>
      </span>
    ),
  },
  nodeColumns.claim,
  nodeColumns.lease,
  nodeColumns.leverage,
  {
    id: 'needs',
    head: 'Needs',
    width: '52px',
    labelled: true,
    sort: ({ dependsOn }) => dependsOn.filter(({ done }) => !done).length,
    cell: ({ dependsOn }) =>
      dependsOn.length > 0 && (
        <span className="font-mono text-code text-fg-2">
          {dependsOn.filter(({ done }) => done).length}/{dependsOn.length}
        </span>
      ),
  },
  {
    id: 'proof',
    head: 'Proof',
    width: 'minmax(90px,1.2fr)',
    sort: ({ binding }) => binding && bindingText(binding),
    cell: ({ binding, evidence, unbound }) =>
      unbound ? (
        <Unbound />
      ) : (
        <span className="text-fg-3">
          {bindingText(binding)}
          {evidence && `, ${evidenceText(evidence)}`}
        </span>
      ),
  },
];

const keyOf = (node: NodeView): string => node.id;

/** Every node of the plan; rows are drawn as one scrolls. */
export function NodesTable({ nodes }: { nodes: readonly NodeView[] }) {
  const [selected, select] = useSearchParam('node');
  const [text, setText] = useState('');
  const [state, setState] = useSearchParam('state');
  const [attention, setAttention] = useState(true);
  const rows = useMemo(() => {
    const wanted = text.toLowerCase();
    const inState = state ? nodes.filter((node) => nodeAppearance(node).label.toLowerCase() === state) : nodes;
    const shown = inState.filter((node) =>
      `${node.title} ${node.id} ${node.claimedBy ?? ''} ${node.labels.join(' ')} ${nodeAppearance(node).label}`
        .toLowerCase()
        .includes(wanted),
    );
    return attention ? shown.toSorted((a, b) => nodeUrgency(a) - nodeUrgency(b) || b.leverage - a.leverage) : shown;
  }, [nodes, text, attention, state]);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-page py-2.5">
        <Filter value={text} onChange={setText} label="Filter nodes" />
        <Button kind={attention ? 'on' : 'plain'} aria-pressed={attention} onClick={() => setAttention(!attention)}>
          Attention first
        </Button>
        {state && (
          <Button kind="on" icon={X} onClick={() => setState(null)}>
            Only {state}
          </Button>
        )}
        <span className="ml-auto text-fg-3">
          {rows.length === nodes.length ? '' : `${formatCount(rows.length)} of `}
          {countWithNoun(nodes.length, 'node')}
        </span>
      </div>
      <VirtualTable
        label="Nodes"
        name="nodes"
        none="No matching nodes."
        rows={rows}
        keyOf={keyOf}
        columns={columns}
        selected={rows.find((node) => node.id.toLowerCase() === selected?.toLowerCase())?.id ?? null}
        onSelect={select}
      />
    </div>
  );
}
