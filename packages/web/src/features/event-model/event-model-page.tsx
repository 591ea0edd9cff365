import { useQuery } from '@tanstack/react-query';
import { Columns3, Download, Minus, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { ask } from '../../live/ask.ts';
import { keys } from '../../live/keys.ts';
import { asProblem } from '../../live/problem.ts';
import { Shown } from '../../live/shown.tsx';
import type { CoverageView, EventModelView } from '../../live/wire.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Command } from '../../ui/copy.tsx';
import { useCrumbs } from '../../ui/crumbs.tsx';
import { Chip, Empty, PageHead } from '../../ui/page.tsx';
import { useParam } from '../../ui/search-params.ts';
import { Split } from '../../ui/split.tsx';
import { StateChip } from '../../ui/tone.tsx';
import { Board } from './board.tsx';
import { Drift } from './drift.tsx';
import { evidenceLook } from './look.ts';
import { SlicePanel } from './slice-panel.tsx';

export function EventModelPage() {
  useCrumbs({ label: 'Event model' });
  const model = useQuery({
    queryKey: [...keys.eventModel, 'model'],
    queryFn: () => ask<EventModelView>('GET', '/api/event-model'),
  });
  if (model.isError && asProblem(model.error).code === 'no_event_model') return <NoModel />;
  return <Shown of={model}>{(view) => <Page model={view} />}</Shown>;
}

const zooms = [0.25, 0.4, 0.55, 0.7, 0.85, 1, 1.25, 1.5, 2];

function Page({ model }: { model: EventModelView }) {
  const coverage = useQuery({
    queryKey: [...keys.eventModel, 'coverage'],
    queryFn: () => ask<CoverageView>('GET', '/api/event-model/coverage'),
  }).data;
  const [selected, select] = useParam('slice');
  const [open, setOpen] = useParam('open');
  const [zoomText, setZoom] = useParam('z');
  const zoom = zooms.includes(Number(zoomText)) ? Number(zoomText) : 0.85;
  const shown = useMemo(
    () => (open ? { ...model, slices: model.slices.filter(({ evidence }) => evidence.state !== 'verified') } : model),
    [model, open],
  );
  const slice = model.slices.find(({ name }) => name === selected);
  const step = (by: number) =>
    setZoom(String(zooms[Math.max(0, Math.min(zooms.length - 1, zooms.indexOf(zoom) + by))]));
  return (
    <>
      <PageHead
        title={model.name}
        after={model.sources.map(({ source, slices }) => (
          <Chip key={source} title={`${slices} slices from this source`}>
            {source}
          </Chip>
        ))}
        actions={
          <>
            <Button
              kind={open ? 'on' : 'plain'}
              aria-pressed={open !== null}
              onClick={() => setOpen(open ? null : '1')}
            >
              Unverified only
            </Button>
            <span className="flex items-center rounded-md border border-line-strong bg-raised">
              <IconButton icon={Minus} label="Smaller" onClick={() => step(-1)} />
              <span className="w-10 text-center font-mono text-[11.5px]">{Math.round(zoom * 100)}%</span>
              <IconButton icon={Plus} label="Larger" onClick={() => step(1)} />
            </span>
            <a
              href="/api/event-model/diagram?format=svg"
              download="event-model.svg"
              className="inline-flex h-7 items-center gap-1.5 rounded-md border border-line-strong bg-raised px-2.5 font-medium text-[12.5px] hover:bg-hover"
            >
              <Download size={14} aria-hidden /> SVG
            </a>
          </>
        }
      >
        {coverage && <Figures summary={coverage.summary} />}
      </PageHead>
      <Split
        label={slice ? `Slice ${slice.name}` : 'Drift'}
        aside={
          slice ? (
            <SlicePanel key={slice.name} slice={slice} model={model} onClose={() => select(null)} />
          ) : (
            coverage && <Drift drift={coverage.drift} />
          )
        }
      >
        {shown.slices.length === 0 ? (
          <p className="py-14 text-center text-fg-3">Every slice is verified.</p>
        ) : (
          <Board model={shown} zoom={zoom} selected={selected} onSelect={select} />
        )}
      </Split>
    </>
  );
}

function Figures({ summary }: { summary: CoverageView['summary'] }) {
  const states = ['verified', 'failing', 'noEvidence', 'noSpec'] as const;
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <span className="mr-1 text-fg-3">{summary.slices} slices</span>
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
          <Command text="npx signalbox model push model.yaml" />
        </div>
      </Empty>
    </>
  );
}
