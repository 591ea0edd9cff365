import { useMemo } from 'react';
import type { NodeView } from '../../../live/wire.ts';
import type { Column } from '../../../ui/table.tsx';
import { useSearchParam } from '../../../ui/use-search-param.ts';
import { VirtualTable } from '../../../ui/virtual-table.tsx';
import { nodeColumns } from '../../nodes/node-columns.tsx';
import type { NodeNaming } from './node-links.ts';

const columns: readonly Column<NodeView>[] = [
  nodeColumns.state,
  {
    id: 'title',
    head: 'Node',
    width: 'minmax(120px,1fr)',
    cell: ({ title }) => <span className="font-medium">{title}</span>,
  },
];

/** Every node as a list beside the drawing: always available to keys and screen readers, visible when it is used or pinned. */
export function Outline({ nodes, names, pinned }: { nodes: readonly NodeView[]; names: NodeNaming; pinned: boolean }) {
  const [selected, select] = useSearchParam('node');
  const keyOf = useMemo(() => (node: NodeView) => node[names], [names]);
  const key = useMemo(
    () => nodes.find((node) => node[names].toLowerCase() === selected?.toLowerCase())?.[names] ?? null,
    [nodes, names, selected],
  );
  return (
    <section
      aria-label="Outline"
      className={`flex w-[300px] flex-col max-md:w-[180px] border-line border-r bg-surface ${
        pinned
          ? 'shrink-0'
          : 'absolute inset-y-0 left-0 z-20 -translate-x-full transition-transform focus-within:translate-x-0 focus-within:shadow-pop motion-reduce:transition-none'
      }`}
    >
      <VirtualTable
        label="Outline"
        beside
        rows={nodes}
        keyOf={keyOf}
        columns={columns}
        rowHeight={32}
        selected={key}
        onSelect={select}
      />
    </section>
  );
}
