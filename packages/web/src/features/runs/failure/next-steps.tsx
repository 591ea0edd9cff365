import { ListPlus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { agentPrompt, type FailureView, rerunCommands } from 'signalbox/browser/failure';
import type { RunDetail, ScenarioView } from '../../../live/wire.ts';
import { Button } from '../../../ui/button.tsx';
import { Command, CopyTextButton } from '../../../ui/copy-button.tsx';
import { Section } from '../../../ui/facts.tsx';
import { lazyComponent } from '../../../ui/lazy-component.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { useOffline } from '../../shared/offline.ts';

const NodeDialog = lazyComponent(async () => (await import('./node-dialog.tsx')).NodeDialog, null);

type Which = 'test' | 'file' | 'failed';
const labels: Record<Which, string> = { test: 'This test', file: 'This file', failed: 'All failed' };

type Props = { scenario: ScenarioView; detail: RunDetail; failures: readonly FailureView[] };

/** Not `randomUUID`: it is missing on pages that are served without TLS. */
const randomBoundary = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');

/** The next steps after a failure: run it again, give it to an agent, create a node. */
export function NextSteps({ scenario, detail, failures }: Props) {
  const [which, setWhich] = useState<Which>('test');
  const [adding, setAdding] = useState(false);
  const offline = useOffline();
  const prompt = useMemo(
    () => agentPrompt(detail.run, scenario, failures, randomBoundary),
    [detail.run, scenario, failures],
  );
  const failed = useMemo(
    () => detail.scenarios.filter(({ outcome }) => outcome === 'Failed' || outcome === 'Aborted'),
    [detail.scenarios],
  );
  // The command for thousands of tests is built only on request, so that the panel opens at once.
  const commands = useMemo(() => rerunCommands(scenario, which === 'failed' ? failed : []), [scenario, which, failed]);
  const hasOthers = failed.some(({ rerun }) => rerun !== null && rerun !== scenario.rerun);
  const choices = (['test', 'file', 'failed'] as const).filter((one) =>
    one === 'failed' ? hasOthers && scenario.rerun !== null : commands[one] !== null,
  );
  const command = commands[which] ?? commands.test;
  return (
    <Section
      title="Next"
      aside={
        choices.length > 1 && (
          <Segmented
            label="Run again"
            value={which}
            onChange={setWhich}
            choices={choices.map((value) => ({ value, label: labels[value] }))}
          />
        )
      }
    >
      {command && <Command text={command} what="rerun command" />}
      <div className="flex flex-wrap gap-2">
        <CopyTextButton text={prompt} title="Copies the failure, its location, the comparison and the rerun command">
          Copy for an agent
        </CopyTextButton>
        {!offline && (
          <Button icon={ListPlus} onClick={() => setAdding(true)}>
            Make a node
          </Button>
        )}
      </div>
      {adding && <NodeDialog run={detail.run} scenario={scenario} prompt={prompt} onClose={() => setAdding(false)} />}
    </Section>
  );
}
