import { Map as MapIcon, Sparkles } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Command } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { mcpCommand } from '../shared/mcp-command.ts';
import { RefusalNotice } from '../shared/refusal-notice.tsx';
import { useAction } from '../shared/use-action.ts';

/** What a newcomer sees: a few ways on, each of them one click or one line. */
export function FirstSteps({ children }: { children?: ReactNode }) {
  const { act, busy, problem } = useAction();
  const demo = () =>
    act(async () => {
      await (await import('./load-demo.ts')).loadDemo();
      showToast('Three example plans are there. Archive them when you have seen enough.');
    });
  return (
    <EmptyState icon={MapIcon} title="No plans yet">
      <p>
        A plan is a graph of work: nodes, what each waits for, and what proves it done. People and agents claim ready
        nodes; Signalbox watches how they get on.
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button icon={Sparkles} disabled={busy} onClick={demo}>
          {busy ? 'Loading the example' : 'Load an example'}
        </Button>
        {children}
      </div>
      <RefusalNotice problem={problem} />
      <div className="mt-4 flex flex-col gap-3 text-left">
        <div className="flex flex-col gap-1.5">
          <h3 className="eyebrow">Let an agent plan and claim</h3>
          <Command text={mcpCommand()} />
        </div>
        <div className="flex flex-col gap-1.5">
          <h3 className="eyebrow">Send your test runs here</h3>
          <Command text="npx signalbox run -- npx vitest run" />
        </div>
      </div>
    </EmptyState>
  );
}
