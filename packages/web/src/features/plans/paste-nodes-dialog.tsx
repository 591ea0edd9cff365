import { type FormEvent, useState } from 'react';
import { call } from '../../live/call.ts';
import type { NodeView, PlanView } from '../../live/wire.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextArea } from '../../ui/field.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { showToast } from '../../ui/toasts.tsx';
import { type BindingDraft, bindingOf, kinds, likelyBinding } from '../nodes/binding-draft.ts';
import { refreshNode } from '../nodes/refresh-node.ts';
import { ActingAsField, useActingAs } from '../shared/acting-as.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { useAction } from '../shared/use-action.ts';
import { type LineOrder, parseOutline, usualOrder } from './parse-outline.ts';

const orders: readonly (readonly [LineOrder, string])[] = [
  ['none', 'Lines do not wait for each other'],
  ['sequence', 'Each line waits for the line before it'],
  ['indented', 'A line waits for the lines indented below it'],
];

/** Bindings without further members, so that one binding can serve all lines. */
const simpleKinds: readonly BindingDraft['kind'][] = ['none', 'suite', 'commit', 'signOff'];

/** Creates a node for every line of a pasted list or outline, all or none. */
export function PasteNodesDialog({
  plan,
  nodes,
  onClose,
}: {
  plan: PlanView;
  nodes: readonly NodeView[];
  onClose: () => void;
}) {
  const me = useActingAs();
  const { act, busy, problem } = useAction();
  const [text, setText] = useState('');
  const [chosen, setOrder] = useState<LineOrder | null>(null);
  const [kind, setKind] = useState(likelyBinding(plan).kind);
  const order = chosen ?? usualOrder(text);
  const isTaken = (id: string) => nodes.some((node) => node.id.toLowerCase() === id);
  const added = parseOutline(text, order, isTaken);
  const by = me || undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const binding = bindingOf({ kind } as BindingDraft);
    void act(async () => {
      await call('import_plan', {
        plan: plan.slug,
        document: { nodes: added.map((node) => ({ ...node, binding })) },
        by,
        mode: 'seed',
      });
      await refreshNode(plan.slug);
      const ids = added.map(({ id }) => id);
      showToast(`${countWithNoun(ids.length, 'node')} added`, () => takeBack(plan.slug, ids, by));
      onClose();
    });
  };
  return (
    <Dialog title="Paste a list" onClose={onClose} wide>
      <form onSubmit={submit} className="flex flex-col gap-3.5">
        <TextArea
          label="One node per line"
          hint="Bullets, numbers and check boxes are removed. Indent lines to make an outline."
          rows={10}
          autoFocus
          required
          className="font-mono"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
          <Select label="Order" value={order} onChange={(event) => setOrder(event.target.value as LineOrder)}>
            {orders.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
          <Select
            label="Proven done when"
            value={kind}
            onChange={(event) => setKind(event.target.value as BindingDraft['kind'])}
          >
            {kinds
              .filter(([value]) => simpleKinds.includes(value))
              .map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
          </Select>
        </div>
        <ActingAsField />
        <DialogFooter
          {...{ busy, problem, onClose }}
          label={added.length === 0 ? 'Add nodes' : `Add ${countWithNoun(added.length, 'node')}`}
          disabled={added.length === 0}
        />
      </form>
    </Dialog>
  );
}

/** From the last to the first, so that no remaining node depends on a removed one. */
async function takeBack(plan: string, ids: readonly string[], by: string | undefined): Promise<void> {
  for (const node of ids.toReversed()) await call('remove_node', { plan, node, by, force: true });
  await refreshNode(plan);
}
