import { CircleDot, Unlink } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import type { NodeView } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { type Appearance, StateIcon } from '../../ui/appearance.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Section } from '../../ui/facts.tsx';
import { Chip } from '../../ui/page.tsx';
import { useMay } from '../shared/me.ts';
import { type Edge, useRemoveEdge } from './edge.ts';
import { nodeAppearance, statusAppearance } from './node-appearance.ts';

/** The dependencies and dependents of a node; each dependency can be removed where it is listed. */
export function NodeRefs({
  node,
  other,
  readOnly,
}: {
  node: NodeView;
  /** Returns another node, if the page has loaded it. */
  other: (ref: string) => NodeView | undefined;
  readOnly: boolean;
}) {
  const titleOf = (ref: string) => other(ref)?.title ?? ref;
  return (
    <>
      <Refs title="Needs" none="No dependencies.">
        {node.dependsOn.map(({ ref, status, missing }) => (
          <RefLine
            key={ref}
            from={node.plan}
            target={ref}
            appearance={status ? statusAppearance[status] : null}
            missing={missing}
            title={other(ref)?.title}
            remove={
              !readOnly && (
                <RemoveEdge
                  waiting={node.ref}
                  needed={ref}
                  label={`Do not wait for ${titleOf(ref)}`}
                  done={`${node.title} no longer waits for ${titleOf(ref)}`}
                />
              )
            }
          />
        ))}
      </Refs>
      <Refs title="Unblocks" none="No dependents.">
        {node.dependents.map((ref) => {
          const dependent = other(ref);
          return (
            <RefLine
              key={ref}
              from={node.plan}
              target={ref}
              appearance={dependent ? nodeAppearance(dependent) : null}
              missing={false}
              title={dependent?.title}
              remove={
                !readOnly && (
                  <RemoveEdge
                    waiting={ref}
                    needed={node.ref}
                    label={`${titleOf(ref)} need not wait for this node`}
                    done={`${titleOf(ref)} no longer waits for ${node.title}`}
                  />
                )
              }
            />
          );
        })}
      </Refs>
    </>
  );
}

function Refs({ title, none, children }: { title: string; none: string; children: ReactNode[] }) {
  return (
    <Section title={title}>
      {children.length === 0 ? (
        <p className="text-fg-3">{none}</p>
      ) : (
        <ul aria-label={title} className="flex flex-col gap-1">
          {children}
        </ul>
      )}
    </Section>
  );
}

/** The link to a node on the page of its plan; on that page the current view is kept. */
function useNodeHref(plan: string, id: string): string {
  const [path] = useLocation();
  const [params] = useSearchParams();
  const planPath = paths.plan(plan);
  const next = new URLSearchParams(path.toLowerCase() === planPath.toLowerCase() ? params : {});
  next.set('node', id);
  return `${planPath}?${next}`;
}

/** A reference by its title if the page has it; the plan is shown only if it is a different one. */
function RefLine({
  from,
  target,
  appearance,
  missing,
  title,
  remove,
}: {
  from: string;
  target: string;
  appearance: Appearance | null;
  missing: boolean;
  title: string | undefined;
  remove: ReactNode;
}) {
  const [plan = '', id = ''] = target.split('/');
  const own = plan.toLowerCase() === from.toLowerCase();
  const href = useNodeHref(plan, id);
  return (
    <li className="flex min-h-6 items-center gap-2">
      {appearance ? (
        <StateIcon appearance={appearance} />
      ) : (
        <CircleDot size={15} className="shrink-0 text-fg-3" aria-hidden />
      )}
      {missing ? (
        <span className="tone-fail min-w-0 break-all text-tone-text">{target} is missing</span>
      ) : (
        <Link href={href} title={target} className="min-w-0 truncate rounded hover:underline">
          {title ?? id}
        </Link>
      )}
      {!own && !missing && <Chip>{plan}</Chip>}
      {remove}
    </li>
  );
}

function RemoveEdge({ label, done, ...edge }: Edge & { label: string; done: string }) {
  const may = useMay('author');
  const { remove, busy } = useRemoveEdge(edge, done);
  return (
    <span className="-my-0.5 ml-auto shrink-0">
      <IconButton icon={Unlink} label={label} {...may} disabled={busy || may.disabled === true} onClick={remove} />
    </span>
  );
}
