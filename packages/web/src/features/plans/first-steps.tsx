import { Map as MapIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Command } from '../../ui/copy.tsx';
import { Empty } from '../../ui/page.tsx';

/** What a newcomer sees: three ways on, each of them one click or one line. */
export function FirstSteps({ children }: { children?: ReactNode }) {
  return (
    <Empty icon={MapIcon} title="No plans yet">
      <p>
        A plan is a graph of work: nodes, what each waits for, and what proves it done. People and agents claim ready
        nodes; Signalbox watches how they get on.
      </p>
      <div className="flex flex-wrap justify-center gap-2">{children}</div>
      <div className="mt-4 flex flex-col gap-3 text-left">
        <div className="flex flex-col gap-1.5">
          <h3 className="eyebrow">Let an agent plan and claim</h3>
          <Command text={`claude mcp add --transport http signalbox ${location.origin}/api/mcp`} />
        </div>
        <div className="flex flex-col gap-1.5">
          <h3 className="eyebrow">See it with made-up work first</h3>
          <Command text="npm run signalbox -- demo" />
        </div>
      </div>
    </Empty>
  );
}
