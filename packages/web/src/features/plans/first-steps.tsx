import { Map as MapIcon, Sparkles } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { DemoCommand } from '../shared/demo-command.tsx';
import { useCommands } from '../shared/pasted-commands.ts';
import { RefusalNotice } from '../shared/refusal-notice.tsx';
import { TeachingCommand } from '../shared/teaching-command.tsx';
import { useAction } from '../shared/use-action.ts';

/** The first view of a newcomer: a few ways to begin, each one click or one line. */
export function FirstSteps({ children }: { children?: ReactNode }) {
  const { act, busy, problem } = useAction();
  const commands = useCommands();
  const demo = () =>
    act(async () => {
      await (await import('./load-demo.ts')).loadDemo();
      showToast('Three example plans created. Archive them when you have seen enough.');
    });
  return (
    <EmptyState icon={MapIcon} title="No plans yet">
      <p>
        A plan is a graph of work: nodes, what each depends on, and what proves it done. People and agents claim ready
        nodes; Signalbox shows who works on what.
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button icon={Sparkles} disabled={busy} onClick={demo}>
          {busy ? 'Loading the example' : 'Load an example'}
        </Button>
        {children}
      </div>
      <RefusalNotice problem={problem} />
      <div className="mt-4 flex flex-col gap-3 text-left">
        <TeachingCommand title="Run this in a repository to connect its agents" text={commands.connect} />
        <TeachingCommand title="Or connect Claude Code alone" text={commands.mcp} />
        <TeachingCommand title="Send your test runs here" text={commands.run} />
        <DemoCommand />
      </div>
    </EmptyState>
  );
}
