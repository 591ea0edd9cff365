import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../../live/call.ts';
import { faultAt } from '../../../live/problem.ts';
import type { RunSummary, ScenarioView } from '../../../live/wire.ts';
import { paths } from '../../../paths.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Select, TextField } from '../../../ui/field.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { ActingAsField, useActingAs } from '../../shared/acting-as.tsx';
import { DialogFooter } from '../../shared/dialog-footer.tsx';
import { readAgain, staleAfter } from '../../shared/stale-queries.ts';
import { useAction } from '../../shared/use-action.ts';
import { usePlanChoices } from './plan-choices.ts';

const longestTitle = 200;
const longestId = 60;
const longestDescription = 8_000;

/** An id in the form that plans take: letters, digits and hyphens. */
export const nodeIdFor = (title: string): string =>
  title
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-')
    .slice(0, longestId)
    .replace(/-$/, '') || 'failing-test';

type Props = { run: RunSummary; scenario: ScenarioView; prompt: string; onClose: () => void };

/** Creates a node from a failure: it is done once the suite of this run passes again. */
export function NodeDialog({ run, scenario, prompt, onClose }: Props) {
  const plans = usePlanChoices(run);
  const [plan, setPlan] = useState('');
  const [title, setTitle] = useState(`Fix ${scenario.scenario}`.slice(0, longestTitle));
  const me = useActingAs();
  const [, go] = useLocation();
  const { act, busy, problem } = useAction();
  const chosen = plan || (plans[0]?.slug ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void act(async () => {
      const id = nodeIdFor(title);
      await call('add_node', {
        plan: chosen,
        id,
        title,
        description: prompt.slice(0, longestDescription),
        labels: ['failing test'],
        binding: { kind: 'suite', suite: run.suite, ...(run.branch ? { branch: run.branch } : {}) },
        by: me || undefined,
      });
      await readAgain(staleAfter.planChange(chosen));
      showToast(`${title} is added`);
      onClose();
      go(paths.node(chosen, id));
    });
  };
  return (
    <Dialog title="Make a node of this failure" onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3.5">
        {plans.length === 0 ? (
          <p className="text-fg-2">No plan yet. Create one under Plans, then make the node.</p>
        ) : (
          <Select label="Plan" value={chosen} onChange={(event) => setPlan(event.target.value)}>
            {plans.map(({ slug, title: name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </Select>
        )}
        <TextField
          label="Title"
          required
          value={title}
          maxLength={longestTitle}
          fault={faultAt(problem, 'title')}
          onChange={(event) => setTitle(event.target.value)}
        />
        <p className="text-fg-2">
          Done when the suite <b>{run.suite}</b>
          {run.branch && (
            <>
              {' '}
              passes on <b>{run.branch}</b>
            </>
          )}
          . The failure and its rerun command become the description.
        </p>
        <ActingAsField />
        <DialogFooter busy={busy} problem={problem} label="Add node" onClose={onClose} disabled={chosen === ''} />
      </form>
    </Dialog>
  );
}
