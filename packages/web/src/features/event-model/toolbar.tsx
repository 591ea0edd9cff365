import { Download, Maximize, Minus, Plus, ScanSearch } from 'lucide-react';
import { addressOf } from '../../live/call.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Filter } from '../../ui/filter.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { nextZoom } from './board-zoom.ts';
import type { LinkChoice } from './filter-slices.ts';

type Props = {
  text: string;
  setText: (text: string) => void;
  board: boolean;
  shown: number;
  total: number;
  open: boolean;
  onOpen: () => void;
  focused: string | null;
  onUnfocus: () => void;
  links: LinkChoice;
  onLinks: (links: LinkChoice) => void;
  zoom: number;
  onZoom: (zoom: number | 'fit') => void;
};

/** Filters, link choice and zoom. */
export function Toolbar(props: Props) {
  const { text, setText, board, shown, total, open, onOpen, focused, onUnfocus, links, onLinks } = props;
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-b px-page py-2.5">
      <Filter value={text} onChange={setText} label="Filter slices and types" />
      <Button kind={open ? 'on' : 'plain'} aria-pressed={open} onClick={onOpen}>
        Unverified only
      </Button>
      {focused !== null && (
        <Button kind="on" icon={ScanSearch} onClick={onUnfocus}>
          Around {focused} ×
        </Button>
      )}
      <span className="ml-auto text-fg-3">{shown === total ? '' : `${shown} of ${total} slices`}</span>
      {board && <LinkAndZoomTools links={links} onLinks={onLinks} zoom={props.zoom} onZoom={props.onZoom} />}
      <a
        href={addressOf('event_model_diagram', { format: 'svg' })}
        download="event-model.svg"
        className="inline-flex h-7 items-center gap-1.5 rounded-md border border-line-strong bg-raised px-2.5 font-medium text-control hover:bg-hover"
      >
        <Download size={14} aria-hidden /> SVG
      </a>
    </div>
  );
}

function LinkAndZoomTools({ links, onLinks, zoom, onZoom }: Pick<Props, 'links' | 'onLinks' | 'zoom' | 'onZoom'>) {
  return (
    <>
      <Segmented
        label="Links between slices"
        value={links}
        onChange={onLinks}
        choices={[
          { value: 'all', label: 'All links' },
          { value: 'chosen', label: 'Chosen' },
          { value: 'none', label: 'None' },
        ]}
      />
      <span className="flex items-center rounded-md border border-line-strong bg-raised">
        <IconButton icon={Minus} label="Smaller" onClick={() => onZoom(nextZoom(zoom, false))} />
        <span className="w-10 text-center font-mono text-code">{Math.round(zoom * 100)}%</span>
        <IconButton icon={Plus} label="Larger" onClick={() => onZoom(nextZoom(zoom, true))} />
        <IconButton icon={Maximize} label="The whole board" onClick={() => onZoom('fit')} />
      </span>
    </>
  );
}
