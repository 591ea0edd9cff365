import { Columns3, Table2 } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { layOut } from 'signalbox/browser/event-model-layout';
import { asProblem } from '../../live/problem.ts';
import type { CoverageView, EventModelView } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { StateChip } from '../../ui/appearance.tsx';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { countWithNoun } from '../../ui/format-count.ts';
import { Chip, EmptyState, PageHeader } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { SplitView } from '../../ui/split-view.tsx';
import { useKeys } from '../../ui/use-keys.ts';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { useSize } from '../../ui/use-size.ts';
import { DemoCommand } from '../shared/demo-command.tsx';
import { useCommands } from '../shared/pasted-commands.ts';
import { QueryResult } from '../shared/query-result.tsx';
import { TeachingCommand } from '../shared/teaching-command.tsx';
import { boardZoom } from './board-zoom.ts';
import { Drift } from './drift.tsx';
import { EventModelBoard } from './event-model-board.tsx';
import { useCoverage, useEventModel } from './event-model-queries.ts';
import { evidenceAppearance } from './evidence-appearance.ts';
import { filteredModel, type LinkChoice, modelWithLinks } from './filter-slices.ts';
import { SlicePanel } from './slice-panel.tsx';
import { SlicesTable } from './slices-table.tsx';
import { Toolbar } from './toolbar.tsx';

export function EventModelPage() {
  const model = useEventModel();
  const name = model.data?.name;
  useBreadcrumbs({ label: 'Event model', href: paths.eventModel }, ...(name ? [{ label: name }] : []));
  if (model.isError && asProblem(model.error).code === 'no_event_model') return <NoModel />;
  return <QueryResult query={model}>{(view) => <Page model={view} />}</QueryResult>;
}

/** The height of the overview and the scroll bar. */
const belowBoard = 44;

const allLinks: readonly LinkChoice[] = ['all', 'chosen', 'none'];

function Page({ model }: { model: EventModelView }) {
  const coverage = useCoverage().data;
  const [selected, select] = useSearchParam('slice');
  const [view, setView] = useSearchParam('view');
  const [open, setOpen] = useSearchParam('open');
  const [focus, setFocus] = useSearchParam('focus');
  const [linksText, setLinks] = useSearchParam('links');
  const [zoomText, setZoom] = useSearchParam('z');
  const [text, setText] = useState('');
  const links = allLinks.find((one) => one === linksText) ?? 'all';
  const slice = model.slices.find(({ name }) => name === selected);
  const focusedSlice = focus && slice ? slice.name : null;
  const wanted = useDeferredValue(text);
  const shown = useMemo(
    () => filteredModel(model, { text: wanted, open: open !== null, focusedSlice }),
    [model, wanted, open, focusedSlice],
  );
  const chosen = links === 'chosen' ? selected : null;
  const drawn = useMemo(() => modelWithLinks(shown, links, chosen), [shown, links, chosen]);
  const layout = useMemo(() => layOut(drawn), [drawn]);
  const box = useRef<HTMLDivElement>(null);
  const room = useSize(box);
  const zoom = boardZoom(zoomText, layout, { width: room.width, height: room.height - belowBoard });
  useKeys({ f: () => setFocus(focusedSlice === null && slice ? '1' : null) });
  return (
    <>
      <PageHeader
        title={model.name}
        besideTitle={model.sources.map(({ source, slices }) => (
          <Chip key={source} title={`${countWithNoun(slices, 'slice')} from this source`}>
            {source}
          </Chip>
        ))}
        actions={
          <Segmented
            label="View"
            value={view === 'table' ? 'table' : 'board'}
            onChange={(to) => setView(to === 'board' ? null : to)}
            choices={[
              { value: 'board', label: 'Board', icon: Columns3 },
              { value: 'table', label: 'Table', icon: Table2 },
            ]}
          />
        }
      >
        {coverage && <Figures summary={coverage.summary} />}
      </PageHeader>
      <SplitView
        label={slice ? `Slice ${slice.name}` : 'Drift'}
        onClose={slice && (() => select(null))}
        aside={
          slice ? (
            <SlicePanel
              key={slice.name}
              slice={slice}
              model={model}
              focused={focusedSlice !== null}
              onFocus={() => setFocus(focusedSlice === null ? '1' : null)}
              onSelect={select}
            />
          ) : (
            coverage && <Drift drift={coverage.drift} onSelect={select} />
          )
        }
      >
        <Toolbar
          {...{ text, setText, zoom, links }}
          board={view !== 'table'}
          shown={shown.slices.length}
          total={model.slices.length}
          open={open !== null}
          onOpen={() => setOpen(open ? null : '1')}
          focused={focusedSlice}
          onUnfocus={() => setFocus(null)}
          onLinks={(to) => setLinks(to === 'all' ? null : to)}
          onZoom={(to) => setZoom(String(to))}
        />
        <div ref={box} className="flex min-h-0 flex-1 flex-col">
          {shown.slices.length === 0 ? (
            <p className="py-14 text-center text-fg-3">
              {open && text === '' && focusedSlice === null ? 'Every slice is verified.' : 'No matching slices.'}
            </p>
          ) : view === 'table' ? (
            <SlicesTable model={shown} selected={selected} onSelect={select} />
          ) : (
            <EventModelBoard name={model.name} layout={layout} zoom={zoom} selected={selected} onSelect={select} />
          )}
        </div>
      </SplitView>
    </>
  );
}

function Figures({ summary }: { summary: CoverageView['summary'] }) {
  const states = ['verified', 'failing', 'noEvidence', 'noSpec'] as const;
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <span className="mr-1 text-fg-3">{countWithNoun(summary.slices, 'slice')}</span>
      {states.map((state) => (
        <StateChip key={state} appearance={evidenceAppearance[state]} count={summary[state]} />
      ))}
    </div>
  );
}

function NoModel() {
  const commands = useCommands();
  return (
    <>
      <PageHeader title="Event model" />
      <EmptyState icon={Columns3} title="No event model has been pushed yet">
        <p>
          Slices, their commands, events and read models, with the scenarios that verify each. Write one down, or let
          your specs push theirs.
        </p>
        <TeachingCommand title="From a file" text={commands.pushModel} />
        <DemoCommand />
      </EmptyState>
    </>
  );
}
