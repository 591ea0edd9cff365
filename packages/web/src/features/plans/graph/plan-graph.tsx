import { useMemo, useRef, useState } from 'react';
import type { NodeView } from '../../../live/wire.ts';
import { countWithNoun } from '../../../ui/format-count.ts';
import { useKeys } from '../../../ui/use-keys.ts';
import { useSearchParam } from '../../../ui/use-search-param.ts';
import { createDrawing } from './drawing.ts';
import { GraphCanvas } from './graph-canvas.tsx';
import { GraphTools } from './graph-controls.tsx';
import { foldsByItself, type Grouping, groupsOf, sensibleGroupings, usualGrouping } from './grouping.ts';
import { useLinkNodes } from './link-nodes.ts';
import type { NodeNaming } from './node-links.ts';
import { Outline } from './outline.tsx';
import { useLayout } from './use-layout.ts';

type Props = {
  nodes: readonly NodeView[];
  /** References on the critical path. */
  path: readonly string[];
  names?: NodeNaming;
  /** The groupings to choose from; the first is used unless a person chooses another. */
  groupings: readonly Grouping[];
  /** The titles of groups, by the names of the groups. */
  titles?: ReadonlyMap<string, string>;
  /** Opens the history as a slider, if there is one. */
  onTime?: (() => void) | undefined;
  /** Whether dependencies can be drawn; not in the past, nor in an archived plan. */
  editable?: boolean;
};

/** Nodes as a graph; folding, focus and highlighting are kept in the address. */
export function PlanGraph({ nodes, path, names = 'id', groupings, titles, onTime, editable = true }: Props) {
  const [foldText, setFold] = useSearchParam('fold');
  const [focusText, setFocus] = useSearchParam('focus');
  const [criticalText, setCritical] = useSearchParam('critical');
  const [outline, setOutline] = useSearchParam('outline');
  const offered = useMemo(() => sensibleGroupings(nodes, groupings), [nodes, groupings]);
  const grouped = useGrouping(nodes, offered);
  const shown = useNamedNodes(nodes);
  const fold = foldText === null ? foldsByItself(nodes) : foldText === '1';
  const critical = criticalText !== '0';
  const [draw] = useState(() => createDrawing(names));
  const drawn = useMemo(
    () => draw(nodes, groupsOf(nodes, { by: grouped.by, fold, open: grouped.open, shown }), path, titles),
    [draw, titles, nodes, grouped.by, grouped.open, shown, fold, path],
  );
  const positions = useLayout(drawn.graph);
  const link = useLinkNodes();
  const toggle = {
    fold: () => setFold(fold ? '0' : '1'),
    focus: () => setFocus(focusText ? null : '2'),
    critical: () => setCritical(critical ? '0' : null),
    outline: () => setOutline(outline ? null : '1'),
  };
  useKeys({ c: toggle.critical, f: toggle.focus, x: toggle.fold, o: toggle.outline });
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 overflow-hidden">
      <Outline nodes={nodes} names={names} pinned={outline !== null} />
      {positions ? (
        <GraphCanvas
          drawn={drawn}
          positions={positions}
          critical={critical}
          hops={focusText ? Number(focusText) || 2 : null}
          link={editable ? link : undefined}
          openGroup={(group) => (group.startsWith('#') ? setFold('0') : grouped.unfold(group))}
        />
      ) : (
        <p role="status" className="m-auto text-fg-3">
          Laying out {countWithNoun(nodes.length, 'node')}
        </p>
      )}
      <GraphTools
        outline={outline !== null}
        critical={critical}
        fold={fold}
        focus={focusText !== null}
        toggle={toggle}
        groupings={offered}
        by={grouped.by}
        onGroup={grouped.choose}
        onTime={onTime}
      />
    </div>
  );
}

/** The nodes that the address has named since the graph was opened: a node that a link led to stays unfolded. */
function useNamedNodes(nodes: readonly NodeView[]): ReadonlySet<string> {
  const [text] = useSearchParam('node');
  const named = useRef<ReadonlySet<string>>(new Set());
  const wanted = text?.toLowerCase();
  const ref = nodes.find((node) => node.ref.toLowerCase() === wanted || node.id.toLowerCase() === wanted)?.ref;
  const key = ref?.toLowerCase();
  if (key !== undefined && !named.current.has(key)) named.current = new Set([...named.current, key]);
  return named.current;
}

/** `group` and `open` in the address: how nodes are grouped, and which groups are unfolded. */
function useGrouping(nodes: readonly NodeView[], groupings: readonly Grouping[]) {
  const [byText, setBy] = useSearchParam('group');
  const [openText, setOpen] = useSearchParam('open');
  const open = useMemo(() => new Set(openText === null ? [] : openText.split(',').map(decoded)), [openText]);
  const usual = groupings.includes('plan') ? 'plan' : usualGrouping(nodes);
  const by = groupings.find((one) => one === byText) ?? usual;
  return {
    by,
    open,
    choose: (to: Grouping) => {
      setBy(to === usual ? null : to);
      setOpen(null);
    },
    unfold: (group: string) => setOpen([...open, group].map(encodeURIComponent).join(',')),
  };
}

/** An address may have been typed by hand. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
