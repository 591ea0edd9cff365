import { Bot, Eye, FilePen, type LucideIcon, Workflow } from 'lucide-react';
import { useState } from 'react';
import type { HistoryEntry } from '../../live/wire.ts';
import { Button } from '../../ui/button.tsx';
import { Filter } from '../../ui/filter.tsx';
import { countWithNoun, formatCount } from '../../ui/format-count.ts';
import { Chip } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import type { Column } from '../../ui/table.tsx';
import { formatDateTime, withLocalTimes } from '../../ui/time.tsx';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { QueryResult } from '../shared/query-result.tsx';
import { usePlanHistory } from './plan-queries.ts';

type Kind = 'all' | 'authoring' | 'claims' | 'evidence';
const claimTypes = new Set([
  'node_claimed',
  'claim_reported',
  'claim_released',
  'claim_expired',
  'node_submitted',
  'submission_ended',
]);

export function historyKind(type: string): Exclude<Kind, 'all'> {
  if (type.startsWith('evidence_') || type === 'node_signed_off') return 'evidence';
  return claimTypes.has(type) ? 'claims' : 'authoring';
}

const icons: Record<Exclude<Kind, 'all'>, LucideIcon> = { authoring: FilePen, claims: Bot, evidence: Eye };

/** The node that an entry concerns, if any. */
export const nodeIdOf = ({ data }: HistoryEntry): string | null => {
  const id = data.id ?? data.node;
  return typeof id === 'string' ? id : null;
};

const columns: readonly Column<HistoryEntry>[] = [
  {
    id: 'sequence',
    head: '#',
    width: '44px',
    sort: ({ sequence }) => sequence,
    cell: ({ sequence }) => <Mono text={String(sequence)} />,
  },
  {
    id: 'at',
    head: 'When',
    width: '168px',
    sort: ({ at }) => at,
    cell: ({ at }) => <Mono text={formatDateTime(at)} />,
  },
  {
    id: 'says',
    head: 'What',
    width: 'minmax(240px,5fr)',
    title: true,
    cell: (entry) => {
      const Icon = icons[historyKind(entry.type)];
      const sentence = withLocalTimes(entry.says);
      return (
        <span className="flex items-center gap-2">
          <Icon size={14} className="shrink-0 text-fg-3" aria-label={historyKind(entry.type)} role="img" />
          <span className="min-w-0 break-words min-[480px]:truncate" title={sentence}>
            {sentence}
          </span>
        </span>
      );
    },
  },
  { id: 'node', head: 'Node', width: 'minmax(64px,1fr)', cell: (entry) => <Mono text={nodeIdOf(entry) ?? ''} /> },
  { id: 'by', head: 'Who', width: 'minmax(96px,1fr)', cell: ({ by }) => by },
  { id: 'provenance', head: 'Known by', width: '92px', cell: ({ provenance }) => <Chip>{provenance}</Chip> },
];

const Mono = ({ text }: { text: string }) => <span className="font-mono text-code text-fg-3">{text}</span>;
const keyOf = ({ sequence }: HistoryEntry): string => String(sequence);

/** Everything that ever happened to the plan, newest first. */
export function PlanHistory({ slug }: { slug: string }) {
  const [kind, setKind] = useState<Kind>('all');
  const [text, setText] = useState('');
  const [selected, setSelected] = useState<string | null>(null);
  const [, setNode] = useSearchParam('node');
  const [, setView] = useSearchParam('view');
  const [, setAt] = useSearchParam('at');
  const wanted = text.toLowerCase();
  return (
    <QueryResult query={usePlanHistory(slug)}>
      {(entries) => {
        const shown = entries
          .filter((entry) => kind === 'all' || historyKind(entry.type) === kind)
          .filter((entry) => `${entry.says} ${entry.by} ${nodeIdOf(entry) ?? ''}`.toLowerCase().includes(wanted))
          .reverse();
        return (
          <>
            <div className="flex flex-wrap items-center gap-2 border-line border-b px-page py-2.5">
              <Filter value={text} onChange={setText} label="Filter by text, node or person" />
              <Segmented
                label="Which events"
                value={kind}
                onChange={setKind}
                choices={[
                  { value: 'all', label: 'All' },
                  { value: 'authoring', label: 'Authoring' },
                  { value: 'claims', label: 'Claims' },
                  { value: 'evidence', label: 'Evidence' },
                ]}
              />
              {selected !== null && (
                <Button
                  icon={Workflow}
                  onClick={() => {
                    setAt(selected);
                    setView(null);
                  }}
                >
                  Show the plan after #{selected}
                </Button>
              )}
              <span className="ml-auto text-fg-3">
                {formatCount(shown.length)} of {countWithNoun(entries.length, 'event')}
              </span>
            </div>
            <VirtualTable
              label="History"
              none="No matching events."
              rows={shown}
              keyOf={keyOf}
              columns={columns}
              selected={selected}
              onSelect={setSelected}
              onOpen={(key) => {
                const entry = shown.find((one) => keyOf(one) === key);
                const node = entry && nodeIdOf(entry);
                if (!node) return;
                setView('table');
                setNode(node);
              }}
            />
          </>
        );
      }}
    </QueryResult>
  );
}
