import type { FormEvent } from 'react';
import { useState } from 'react';
import { call } from '../../live/call.ts';
import { faultAt } from '../../live/problem.ts';
import type { PlanView } from '../../live/wire.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { refreshNode } from '../nodes/refresh-node.ts';
import { ActingAsField, useActingAs } from '../shared/acting-as.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { slugOf } from '../shared/slug-of.ts';
import { useAction } from '../shared/use-action.ts';
import { type WorkDraft, WorkFields } from '../shared/work-fields.tsx';

type Limits = WorkDraft & { maxClaims: string };

const limitsOf = (plan: PlanView | undefined): Limits => ({
  priority: plan?.priority ?? '',
  maxAttempts: String(plan?.maxAttempts ?? ''),
  maxClaims: String(plan?.maxClaims ?? ''),
  budget: String(plan?.budget?.tokens ?? ''),
});

const membersOf = ({ priority, maxAttempts, maxClaims, budget }: Limits) => ({
  priority: (priority || null) as PlanView['priority'],
  maxAttempts: maxAttempts ? Number(maxAttempts) : null,
  maxClaims: maxClaims ? Number(maxClaims) : null,
  budget: budget ? { tokens: Number(budget) } : null,
});

/** Creates a plan, or edits its title, repository and description. */
export function PlanDialog({
  plan,
  onClose,
  onDone,
}: {
  plan?: PlanView;
  onClose: () => void;
  onDone: (slug: string) => void;
}) {
  const me = useActingAs();
  const { act, busy, problem } = useAction();
  // The plan as the person saw it; somebody else may change it meanwhile.
  const [before] = useState(plan);
  const [title, setTitle] = useState(plan?.title ?? '');
  const [slug, setSlug] = useState(plan?.slug ?? null);
  const [repository, setRepository] = useState(plan?.repository ?? '');
  const [description, setDescription] = useState(plan?.description ?? '');
  const [limits, setLimits] = useState(limitsOf(plan));
  const slugNow = slug ?? slugOf(title);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const facts = {
      title: title || null,
      repository: repository || null,
      description: description || null,
      ...membersOf(limits),
    };
    // Sends only the person's changes, so that two people who edit at once do not undo each other's.
    const changed = Object.entries(facts).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before?.[name as keyof typeof facts]),
    );
    void act(async () => {
      if (plan)
        await call('import_plan', {
          plan: plan.slug,
          document: Object.fromEntries(changed),
          by: me || undefined,
          mode: 'seed',
        });
      else await call('create_plan', { document: { plan: slugNow, ...facts, nodes: [] }, by: me || undefined });
      await refreshNode(slugNow);
      showToast(plan ? `${title} saved` : 'Plan created');
      onDone(plan?.slug ?? slugNow);
    });
  };
  return (
    <Dialog title={plan ? `Edit ${plan.title}` : 'New plan'} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3.5">
        <TextField
          label="Title"
          autoFocus
          required
          value={title}
          fault={faultAt(problem, 'title')}
          onChange={(event) => setTitle(event.target.value)}
        />
        {!plan && (
          <TextField
            label="Slug"
            hint="Its key in addresses and references. Letters, digits, dots, hyphens."
            value={slugNow}
            fault={faultAt(problem, 'plan')}
            onChange={(event) => setSlug(event.target.value)}
          />
        )}
        <TextField
          label="Repository"
          hint="owner/name; the default for nodes without one."
          value={repository}
          fault={faultAt(problem, 'repository')}
          onChange={(event) => setRepository(event.target.value)}
        />
        <TextArea
          label="Description"
          rows={3}
          value={description}
          fault={faultAt(problem, 'description')}
          onChange={(event) => setDescription(event.target.value)}
        />
        <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
          <WorkFields
            draft={limits}
            put={(change) => setLimits({ ...limits, ...change })}
            problem={problem}
            of="the default"
          />
          <TextField
            label="Claims at once"
            type="number"
            min={1}
            placeholder="any number"
            value={limits.maxClaims}
            fault={faultAt(problem, 'maxClaims')}
            onChange={(event) => setLimits({ ...limits, maxClaims: event.target.value })}
          />
        </div>
        <ActingAsField />
        <DialogFooter {...{ busy, problem, onClose }} label={plan ? 'Save' : 'Create plan'} disabled={slugNow === ''} />
      </form>
    </Dialog>
  );
}
