import { Activity } from 'lucide-react';
import { EmptyState } from '../../../ui/page.tsx';
import { DemoCommand } from '../../shared/demo-command.tsx';
import { useCommands } from '../../shared/pasted-commands.ts';
import { TeachingCommand } from '../../shared/teaching-command.tsx';

/** Shows how to send the first run, on the pages of runs and of tests. */
export function NoRuns() {
  const commands = useCommands();
  return (
    <EmptyState icon={Activity} title="No test run yet">
      <p>
        Start your tests through Signalbox, or add the reporter to your test framework. Tests run at full speed while
        Signalbox is away.
      </p>
      <div className="flex flex-col gap-3 text-left">
        <TeachingCommand title="Any framework: put this before your test command" text={commands.run} />
        <TeachingCommand
          title="Or run this in the project to add the reporter permanently"
          text={commands.connectTests}
        />
        <DemoCommand />
      </div>
    </EmptyState>
  );
}
