import { useQuery } from '@tanstack/react-query';
import { Columns3, Table2 } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { layOut } from 'signalbox/event-model-layout';
import { ask } from '../../live/ask.ts';
import { keys } from '../../live/keys.ts';
import { asProblem } from '../../live/problem.ts';
import { Shown } from '../../live/shown.tsx';
import type { CoverageView, EventModelView } from '../../live/wire.ts';
import { Command } from '../../ui/copy.tsx';
import { many } from '../../ui/count.ts';
import { useCrumbs } from '../../ui/crumbs.tsx';
import { useKeys } from '../../ui/keys.ts';
import { Chip, Empty, PageHead } from '../../ui/page.tsx';
import { useParam } from '../../ui/search-params.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { Split } from '../../ui/split.tsx';
import { StateChip } from '../../ui/tone.tsx';
import { Board } from './board.tsx';
import { Drift } from './drift.tsx';
import { evidenceLook } from './look.ts';
import { type Links, linked, narrowed } from './narrow.ts';
import { SlicePanel } from './slice-panel.tsx';
import { SlicesTable } from './slices-table.tsx';
import { fitting, Tools, zooms } from './tools.tsx';

export function EventModelPage() {
  useCrumbs({ label: 'Event model' });
  const model = useQuery({
    queryKey: [...keys.eventModel, 'model'],
    queryFn: () => ask<EventModelView>('GET', '/api/event-model'),
  });
  if (model.isError && asProblem(model.error).code === 'no_event_model') return <NoModel />;
  return <Shown of={model}>{(view) => <Page model={view} />}</Shown>;
}

const allLinks: readonly Links[] = ['all', 'chosen', 'none'];

function Page({ model }: { model: EventModelView }) {
  const coverage = useQuery({
    queryKey: [...keys.eventModel, 'coverage'],
    queryFn: () => ask<CoverageView>('GET', '/api/event-model/coverage'),
  }).data;
  const [selected, select] = useParam('slice');
  const [view, setView] = useParam('view');
  const [open, setOpen] = useParam('open');
  const [focus, setFocus] = useParam('focus');
  const [linksText, setLinks] = useParam('links');
  const [zoomText, setZoom] = useParam('z');
  const [text, setText] = useState('');
  const links = allLinks.find((one) => one === linksText) ?? 'all';
  const slice = model.slices.find(({ name }) => name === selected);
  const around = focus && slice ? slice.name : null;
  const wanted = useDeferredValue(text);
  const shown = useMemo(
    () => narrowed(model, { text: wanted, open: open !== null, around }),
    [model, wanted, open, around],
  );
  const chosen = links === 'chosen' ? selected : null;
  const drawn = useMemo(() => linked(shown, links, chosen), [shown, links, chosen]);
  const layout = useMemo(() => layOut(drawn), [drawn]);
  const zoom = zooms.includes(Number(zoomText)) ? Number(zoomText) : fitting(layout.height);
  useKeys({ f: () => setFocus(around === null && slice ? '1' : null) });
  return (
    <>
      <PageHead
        title={model.name}
        after={model.sources.map(({ source, slices }) => (
          <Chip key={source} title={`${many(slices, 'slice')} from this source`}>
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
      </PageHead>
      <Split
        label={slice ? `Slice ${slice.name}` : 'Drift'}
        onClose={slice && (() => select(null))}
        aside={
          slice ? (
            <SlicePanel
              key={slice.name}
              slice={slice}
              model={model}
              focused={around !== null}
              onFocus={() => setFocus(around === null ? '1' : null)}
              onSelect={select}
            />
          ) : (
            coverage && <Drift drift={coverage.drift} onSelect={select} />
          )
        }
      >
        <Tools
          {...{ text, setText, zoom, links }}
          board={view !== 'table'}
          shown={shown.slices.length}
          total={model.slices.length}
          open={open !== null}
          onOpen={() => setOpen(open ? null : '1')}
          focused={around}
          onUnfocus={() => setFocus(null)}
          onLinks={(to) => setLinks(to === 'all' ? null : to)}
          onZoom={(to) => setZoom(String(to))}
        />
        {shown.slices.length === 0 ? (
          <p className="py-14 text-center text-fg-3">
            {open && text === '' && around === null ? 'Every slice is verified.' : 'No slice fits the filter.'}
          </p>
        ) : view === 'table' ? (
          <SlicesTable model={shown} selected={selected} onSelect={select} />
        ) : (
          <Board name={model.name} layout={layout} zoom={zoom} selected={selected} onSelect={select} />
        )}
      </Split>
    </>
  );
}

function Figures({ summary }: { summary: CoverageView['summary'] }) {
  const states = ['verified', 'failing', 'noEvidence', 'noSpec'] as const;
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <span className="mr-1 text-fg-3">{many(summary.slices, 'slice')}</span>
      {states.map((state) => (
        <StateChip key={state} look={evidenceLook[state]} count={summary[state]} />
      ))}
    </div>
  );
}

function NoModel() {
  return (
    <>
      <PageHead title="Event model" />
      <Empty icon={Columns3} title="No event model has been pushed yet">
        <p>
          Slices, their commands, events and read models, with the scenarios that verify each. Write one down, or let
          your specs push theirs.
        </p>
        <div className="flex flex-col gap-1.5 text-left">
          <h3 className="eyebrow">From a file</h3>
          <Command text="npx signalbox event-model push model.yaml" />
        </div>
      </Empty>
    </>
  );
}
