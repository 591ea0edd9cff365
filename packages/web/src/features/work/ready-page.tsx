import { Hand, ListTodo, Zap } from 'lucide-react';
import { useMemo, useState } from 'react';
import { asProblem } from '../../live/problem.ts';
import type { NodeView } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Filter } from '../../ui/filter.tsx';
import { EmptyState, PageHeader } from '../../ui/page.tsx';
import { SplitView } from '../../ui/split-view.tsx';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { ClaimDialog } from '../nodes/claim-dialog.tsx';
import { Inspector } from '../nodes/inspector.tsx';
import { NodeDialogs, useNodeDialog } from '../nodes/node-dialogs.tsx';
import { usePlanStatus } from '../plans/plan-queries.ts';
import { DemoCommand } from '../shared/demo-command.tsx';
import { useMay } from '../shared/me.ts';
import { QueryResult } from '../shared/query-result.tsx';
import { LicencePanel } from './licence-panel.tsx';
import { type RankedNode, readyColumns } from './ready-columns.tsx';
import { useReady } from './work-queries.ts';

/** Nodes that can be worked on now; those that unblock most come first. */
export function ReadyPage() {
  useBreadcrumbs({ label: 'Ready work' });
  const ready = useReady();
  const mayWork = useMay('work');
  const [doing, setDoing] = useSearchParam('do');
  const claiming = doing === 'claim';
  const setClaiming = (on: boolean) => setDoing(on ? 'claim' : null);
  const [plan] = useSearchParam('plan');
  const [, select] = useSearchParam('node');
  const hasNone = ready.data?.some(({ claim, unbound, parked }) => !claim && !unbound && !parked) === false;
  const unlicensed = ready.isError && asProblem(ready.error).status === 402;
  return (
    <NodeDialogs>
      <PageHeader
        title="Ready work"
        description="Nodes that can be worked on now, across plans. Urgent ones come first, then those that unblock most."
        actions={
          !unlicensed && (
            <Button
              kind={hasNone ? 'plain' : 'primary'}
              icon={Zap}
              {...(hasNone && { disabled: true, title: 'No bound node is ready now' })}
              {...mayWork}
              onClick={() => setClaiming(true)}
            >
              Claim next ready
            </Button>
          )
        }
      />
      {unlicensed ? (
        <LicencePanel problem={asProblem(ready.error)} />
      ) : (
        <QueryResult query={ready}>
          {(nodes) => (nodes.length === 0 ? <NothingReady /> : <ReadyList nodes={nodes} />)}
        </QueryResult>
      )}
      {claiming && (
        <ClaimDialog
          within={plan ? { plan } : {}}
          onClose={() => setClaiming(false)}
          onClaimed={(node) => select(node.ref)}
        />
      )}
    </NodeDialogs>
  );
}

const keyOf = (node: RankedNode): string => node.ref;

function ReadyList({ nodes }: { nodes: readonly NodeView[] }) {
  const [selected, select] = useSearchParam('node');
  const [plan, setPlan] = useSearchParam('plan');
  const [stateText, setState] = useSearchParam('state');
  const state = readyStates.find((one) => one === stateText) ?? null;
  const [text, setText] = useState('');
  const open = useNodeDialog();
  // The chosen plan is listed even if none of its nodes is ready.
  const plans = useMemo(
    () => [...new Set([...nodes.map((node) => node.plan), ...(plan ? [plan] : [])])].sort(),
    [nodes, plan],
  );
  const rows = useMemo(() => {
    const wanted = text.toLowerCase();
    const searchText = (node: NodeView) =>
      `${node.title} ${node.ref} ${node.repository ?? ''} ${node.labels.join(' ')} ${node.claimedBy ?? ''}`;
    return nodes
      .map((node, index): RankedNode => ({ ...node, rank: index + 1 }))
      .filter(
        (node) =>
          (plan ? node.plan.toLowerCase() === plan.toLowerCase() : true) && (state ? node.status === state : true),
      )
      .filter((node) => searchText(node).toLowerCase().includes(wanted));
  }, [nodes, plan, state, text]);
  const chosen = rows.find((node) => node.ref === selected);
  return (
    <SplitView
      label={`Node ${chosen?.title ?? ''}`}
      onClose={() => select(null)}
      aside={chosen && <ChosenNode key={chosen.ref} node={chosen} onClose={() => select(null)} />}
    >
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-page py-2.5">
        <Filter value={text} onChange={setText} label="Filter by node, label, agent" />
        <select
          aria-label="Plan"
          value={plan ?? ''}
          onChange={(event) => setPlan(event.target.value || null)}
          className="h-7 max-w-[260px] rounded-md border border-edge bg-raised px-2 text-control"
        >
          <option value="">All plans</option>
          {plans.map((slug) => (
            <option key={slug}>{slug}</option>
          ))}
        </select>
        <StateDoors nodes={nodes} state={state} onState={setState} />
      </div>
      <VirtualTable
        label="Ready work"
        name="ready"
        none="No matching nodes."
        rows={rows}
        keyOf={keyOf}
        columns={readyColumns}
        rowHeight={46}
        selected={selected}
        onSelect={select}
        onOpen={(ref) => {
          const node = rows.find((one) => one.ref === ref);
          if (node && node.claim === null) open('claim', node);
        }}
      />
      <p className="flex items-center gap-2 border-line border-t px-page py-2 text-fg-3 text-xs max-md:hidden">
        <Hand size={13} aria-hidden /> Enter claims the row. Claimed nodes stay in the list with their holder.
      </p>
    </SplitView>
  );
}

/** The nodes that it waits for and unblocks are named as on the page of its plan. */
function ChosenNode({ node, onClose }: { node: NodeView; onClose: () => void }) {
  const nodes = usePlanStatus(node.plan).data?.nodes;
  const byRef = useMemo(() => new Map(nodes?.map((one) => [one.ref.toLowerCase(), one])), [nodes]);
  return <Inspector node={node} onClose={onClose} other={(ref) => byRef.get(ref.toLowerCase())} />;
}

const readyStates = ['ready', 'failed', 'claimed'] as const;
type ReadyState = (typeof readyStates)[number];

const stateTexts: Record<ReadyState, string> = {
  ready: 'ready',
  failed: 'failed, can be claimed again',
  claimed: 'claimed, unblocked',
};

/** The number of nodes in each state; a click shows only those. */
function StateDoors({
  nodes,
  state,
  onState,
}: {
  nodes: readonly NodeView[];
  state: ReadyState | null;
  onState: (state: string | null) => void;
}) {
  return (
    <>
      {readyStates.map((one) => {
        const count = nodes.filter(({ status }) => status === one).length;
        if (count === 0 && one !== 'ready' && one !== state) return null;
        return (
          <Button
            key={one}
            kind={state === one ? 'on' : 'plain'}
            aria-pressed={state === one}
            onClick={() => onState(state === one ? null : one)}
          >
            {count} {stateTexts[one]}
          </Button>
        );
      })}
    </>
  );
}

function NothingReady() {
  return (
    <EmptyState icon={ListTodo} title="Nothing is ready">
      <p>
        A node is ready when all its dependencies are done and nobody holds it. Open a plan to see what blocks it, or
        add nodes.
      </p>
      <div>
        <ButtonLink href={paths.plans}>Open the plans</ButtonLink>
      </div>
      <DemoCommand />
    </EmptyState>
  );
}
