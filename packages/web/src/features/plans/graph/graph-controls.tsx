import {
  Focus,
  History as HistoryIcon,
  Inbox,
  Layers,
  ListTree,
  Maximize,
  Minus,
  Plus,
  Spline,
  Zap,
} from 'lucide-react';
import { memo } from 'react';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Kbd } from '../../../ui/page.tsx';
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
    <div className={`absolute top-2.5 flex flex-wrap gap-2 ${outline ? 'left-[312px] max-md:left-[192px]' : 'left-3'}`}>
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

export const ZoomButtons = memo(function GraphZoom({
  zoom,
  whole,
}: {
  zoom: (factor: number) => void;
  whole: () => void;
}) {
  return (
    <div className="absolute bottom-12 left-3 flex flex-col rounded-md border border-line-strong bg-raised">
      <IconButton icon={Plus} label="Larger" onClick={() => zoom(1.3)} />
      <IconButton icon={Minus} label="Smaller" onClick={() => zoom(1 / 1.3)} />
      <IconButton icon={Maximize} label="The whole plan" onClick={whole} />
    </div>
  );
});

export const Legend = memo(function GraphLegend() {
  return (
    <p className="pointer-events-none absolute bottom-2 left-2 flex items-center max-md:hidden gap-4 rounded bg-bg/85 px-1 py-1 text-fg-3 text-xs">
      <span className="flex items-center gap-1.5">
        <i className="h-0.5 w-5 bg-fg" /> critical path
      </span>
      <span className="flex items-center gap-1.5">
        <i className="w-5 border-line-strong border-t border-dashed" /> cross-plan
      </span>
      <span className="flex items-center gap-1.5">
        <Zap size={12} aria-hidden /> unblocks n nodes
      </span>
      <span className="tone-handed flex items-center gap-1.5 max-lg:hidden">
        <Inbox size={12} className="text-tone-text" aria-hidden /> handed in, proof awaited
      </span>
      {/* The map in the other corner comes first where there is no room for both. */}
      <span className="flex items-center gap-1.5 max-xl:hidden">
        <Kbd>J</Kbd>
        <Kbd>K</Kbd> walk dependencies
      </span>
      <span className="flex items-center gap-1.5 max-2xl:hidden">
        <Kbd>L</Kbd> or drag a card's right edge: draw a dependency
      </span>
    </p>
  );
});
