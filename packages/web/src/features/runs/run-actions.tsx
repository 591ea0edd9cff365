import { ChevronDown, Download, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { addressOf } from '../../live/call.ts';
import type { RunSummary } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useMay } from '../shared/me.ts';
import { EjectDialog } from './eject-dialog.tsx';
import { WithdrawDialog } from './withdraw-dialog.tsx';

export function RunActions({ run }: { run: RunSummary }) {
  const [asking, setAsking] = useState<'eject' | 'withdraw' | null>(null);
  const [, go] = useLocation();
  const live = run.state === 'running';
  const mayEject = useMay('admin');
  const mayWithdraw = useMay('author');
  const dialog = { run, onClose: () => setAsking(null), onDone: () => go(paths.runs) };
  return (
    <>
      <Menu
        label={
          <>
            <Download size={14} aria-hidden /> Export <ChevronDown size={13} aria-hidden className="text-fg-3" />
          </>
        }
      >
        <ul>
          {['html', 'ctrf', 'junit', 'ndjson'].map((format) => (
            <li key={format}>
              <a
                href={addressOf('export_run', { runId: run.runId, format })}
                download
                className="flex h-8 items-center rounded px-2 hover:bg-hover"
              >
                {formatLabels[format]}
              </a>
            </li>
          ))}
        </ul>
      </Menu>
      <Button
        icon={Trash2}
        disabled={live}
        title={live ? 'A live run is never ejected: its next event would bring it back.' : undefined}
        {...mayEject}
        onClick={() => setAsking('eject')}
      >
        Eject
      </Button>
      {!live && (
        <Button
          icon={Undo2}
          title="Take back what this run proved"
          {...mayWithdraw}
          onClick={() => setAsking('withdraw')}
        >
          Withdraw proof
        </Button>
      )}
      {live && <span className="text-fg-3 text-xs">live runs stay</span>}
      {asking === 'eject' && <EjectDialog {...dialog} />}
      {asking === 'withdraw' && <WithdrawDialog {...dialog} />}
    </>
  );
}

const formatLabels: Record<string, string> = {
  html: 'HTML, this page in a file',
  ctrf: 'CTRF, JSON',
  junit: 'JUnit, XML',
  ndjson: 'NDJSON, every event',
};
