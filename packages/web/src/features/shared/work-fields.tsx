import { faultAt, faultUnder, type Problem } from '../../live/problem.ts';
import { Select, TextField } from '../../ui/field.tsx';

/** The values of a form; empty if nothing is entered. */
export type WorkDraft = { priority: string; maxAttempts: string; budget: string };

/** How a node, or the nodes of a plan, are handed out. `of` describes the value of an empty field. */
export function WorkFields({
  draft,
  put,
  problem,
  of,
}: {
  draft: WorkDraft;
  put: (change: Partial<WorkDraft>) => void;
  problem: Problem | null;
  of: string;
}) {
  return (
    <>
      <Select label="Priority" value={draft.priority} onChange={(event) => put({ priority: event.target.value })}>
        <option value="">{of}</option>
        {['urgent', 'high', 'normal', 'low'].map((priority) => (
          <option key={priority}>{priority}</option>
        ))}
      </Select>
      <TextField
        label="Attempts"
        type="number"
        min={1}
        max={100}
        placeholder={of}
        value={draft.maxAttempts}
        fault={faultAt(problem, 'maxAttempts')}
        onChange={(event) => put({ maxAttempts: event.target.value })}
      />
      <TextField
        label="Budget, tokens"
        type="number"
        min={1}
        placeholder="no budget"
        value={draft.budget}
        fault={faultUnder(problem, 'budget')}
        onChange={(event) => put({ budget: event.target.value })}
      />
    </>
  );
}
