import {
  Focus,
  History as HistoryIcon,
  Layers,
  ListTree,
  Map as MapIcon,
  Maximize,
  Minus,
  Plus,
  Spline,
  Zap,
} from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { type Appearance, StateIcon } from '../../../ui/appearance.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Kbd } from '../../../ui/page.tsx';
import { stateMarks } from '../../../ui/state-marks.ts';
import { readingOrder } from '../../nodes/node-appearance.ts';
import type { Drawing } from './drawing.ts';
import type { Grouping } from './grouping.ts';

type ToggleName = 'critical' | 'fold' | 'focus' | 'outline';
type GraphToolsProps = Record<ToggleName, boolean> & {
  toggle: Record<ToggleName, () => void>;
  groupings: readonly Grouping[];
  by: Grouping;
  onGroup: (by: Grouping) => void;
  onTime: (() => void) | undefined;
};

const hasSameProps = (a: GraphToolsProps, b: GraphToolsProps): boolean =>
  a.critical === b.critical &&
  a.fold === b.fold &&
  a.focus === b.focus &&
  a.outline === b.outline &&
  a.by === b.by &&
  a.groupings.join() === b.groupings.join() &&
  (a.onTime === undefined) === (b.onTime === undefined);

const groupingLabels: Record<Grouping, string> = {
  none: 'No groups',
  label: 'Group: label',
  repository: 'Group: repository',
  plan: 'Group: plan',
};

/** Rendered again only when a visible value changes; the callbacks are not compared. */
export const GraphTools = memo(function GraphTools({
  critical,
  fold,
  focus,
  outline,
  toggle,
  groupings,
  by,
  onGroup,
  onTime,
}: GraphToolsProps) {
  return (
    <div
      className={`absolute top-2.5 flex flex-wrap gap-2 max-xl:right-0 max-xl:flex-nowrap max-xl:overflow-x-auto max-xl:pb-1 *:shrink-0 ${outline ? 'left-[312px] max-md:left-[192px]' : 'left-3'}`}
    >
      <Button icon={ListTree} kind={outline ? 'on' : 'plain'} aria-pressed={outline} onClick={toggle.outline}>
        Outline
      </Button>
      <Button icon={Spline} kind={critical ? 'on' : 'plain'} aria-pressed={critical} onClick={toggle.critical}>
        Critical path
      </Button>
      <Button icon={Layers} kind={fold ? 'on' : 'plain'} aria-pressed={fold} onClick={toggle.fold}>
        Fold finished
      </Button>
      <Button icon={Focus} kind={focus ? 'on' : 'plain'} aria-pressed={focus} onClick={toggle.focus}>
        Focus: 2 hops
      </Button>
      {groupings.length > 1 && (
        <select
          aria-label="Group"
          value={by}
          onChange={({ target }) => onGroup(groupings.find((one) => one === target.value) ?? 'none')}
          className="h-7 rounded-md border border-edge bg-raised px-2 font-medium text-control"
        >
          {groupings.map((one) => (
            <option key={one} value={one}>
              {groupingLabels[one]}
            </option>
          ))}
        </select>
      )}
      {onTime && (
        <Button icon={HistoryIcon} onClick={onTime}>
          Go back in time
        </Button>
      )}
    </div>
  );
}, hasSameProps);

type GraphFootProps = {
  shapes: Drawing['shapes'];
  /** Whether states are drawn as marks, because the view is too small for words. */
  isFar: boolean;
  zoom: (factor: number) => void;
  whole: () => void;
  /** Whether the overview map is open; null where there is none. */
  map: boolean | null;
  onMap: (isOpen: boolean) => void;
};

/** Below the drawing, so that it covers no card: the zoom, and what marks and lines mean. */
export const GraphFoot = memo(function GraphFoot({ shapes, isFar, zoom, whole, map, onMap }: GraphFootProps) {
  return (
    <div className="flex h-9 shrink-0 items-center gap-3 border-line border-t bg-surface pr-3 pl-2">
      <span className="flex">
        <IconButton icon={Plus} label="Larger" onClick={() => zoom(1.3)} />
        <IconButton icon={Minus} label="Smaller" onClick={() => zoom(1 / 1.3)} />
        <IconButton icon={Maximize} label="The whole plan" onClick={whole} />
        {map !== null && (
          <IconButton icon={MapIcon} label="Overview map" aria-pressed={map} onClick={() => onMap(!map)} />
        )}
      </span>
      {/* Items that do not fit into the first line are hidden; the states come first. */}
      <ul aria-label="Legend" className="flex h-5 min-w-0 flex-wrap gap-x-4 gap-y-2 overflow-hidden text-fg-3 text-xs">
        <States shapes={shapes} isFar={isFar} />
        <Entry>
          <i className="h-0.5 w-5 bg-fg" /> critical path
        </Entry>
        <Entry>
          <i className="w-5 border-edge border-t border-dashed" /> cross-plan
        </Entry>
        <Entry>
          <Zap size={12} aria-hidden /> leverage: open nodes that wait
        </Entry>
        <Entry>
          <Kbd>J</Kbd>
          <Kbd>K</Kbd> walk dependencies
        </Entry>
        <Entry>
          <Kbd>L</Kbd> or drag a card's right edge: draw a dependency
        </Entry>
      </ul>
    </div>
  );
});

const Entry = ({ children }: { children: ReactNode }) => (
  <li className="flex h-5 items-center gap-1.5 whitespace-nowrap">{children}</li>
);

/** The states in the drawing, each with its mark. */
function States({ shapes, isFar }: Pick<GraphFootProps, 'shapes' | 'isFar'>) {
  const present = new Set<Appearance>();
  for (const shape of shapes.values())
    for (const { appearance } of shape.kind === 'group' ? shape.parts : [shape]) present.add(appearance);
  return readingOrder
    .filter((one) => present.has(one))
    .map((appearance) => (
      <Entry key={appearance.label}>
        {isFar ? (
          <i
            aria-hidden
            className={`tone-${appearance.tone} tone-bar grid h-3.5 w-5 place-items-center rounded-[2px] bg-tone font-semibold text-[10px] text-bg not-italic`}
          >
            {stateMarks[appearance.tone]}
          </i>
        ) : (
          <StateIcon appearance={appearance} size={12} />
        )}
        <span aria-hidden={!isFar}>{appearance.label.toLowerCase()}</span>
      </Entry>
    ));
}
