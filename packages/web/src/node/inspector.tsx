import { CircleDot, ExternalLink, GitBranch, X, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import type { Evidence, NodeView } from '../live/wire.ts';
import { IconButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Fact, Section } from '../ui/facts.tsx';
import { Notice } from '../ui/notice.tsx';
import { Chip } from '../ui/page.tsx';
import { Ago, readable } from '../ui/time.tsx';
import { type Look, StateIcon, StateLabel } from '../ui/tone.tsx';
import { NodeActions } from './actions.tsx';
import { ClaimFacts, PastClaim, PreviousClaim } from './claim-facts.tsx';
import { nodeLook, statusLook } from './look.ts';
import { bindingText, evidenceText, troubleOf } from './words.ts';

/** Everything about one node: why it stands where it does, who is on it, what it needs and what needs it. */
export function Inspector({
  node,
  onClose,
  recent,
  archived = false,
  other = () => undefined,
  path = [],
  past = false,
}: {
  node: NodeView;
  onClose: () => void;
  recent?: ReactNode;
  archived?: boolean;
  /** Another node, where the page has it. */
  other?: (ref: string) => NodeView | undefined;
  /** References on the critical path, where the page knows it. */
  path?: readonly string[];
  /** Shown as it was: nothing can be done with it, and what only the present knows is left out. */
  past?: boolean;
}) {
  const look = nodeLook(node);
  const trouble = node.claim && troubleOf(node.claim);
  return (
    <div className="flex flex-col gap-5 px-4 py-4">
      <div className="flex flex-col gap-3">
        <div className="flex items-start gap-2.5">
          <span className="mt-0.5">
            <StateIcon look={look} size={17} />
          </span>
          <div className="min-w-0 flex-1">
            <h2 className="break-words font-semibold text-[14px] leading-5">{node.title}</h2>
            <p className="flex items-center gap-1 font-mono text-[11.5px] text-fg-3">
              <span className="min-w-0 break-all">{node.ref}</span>
              <CopyButton text={node.ref} what="reference" />
            </p>
          </div>
          <StateLabel look={look} />
          <span className="-my-1 -mr-1.5">
            <IconButton icon={X} label="Close" onClick={onClose} />
          </span>
        </div>
        {trouble && (
          <div className={`tone-${look.tone}`}>
            <Notice tone={look.tone} title={trouble.title} icon={look.icon}>
              {trouble.text}
            </Notice>
          </div>
        )}
        {!archived && !past && <NodeActions node={node} />}
      </div>
      {node.claim && (past ? <PastClaim claim={node.claim} /> : <ClaimFacts claim={node.claim} />)}
      {!node.claim && node.lastClaim && <PreviousClaim claim={node.lastClaim} />}
      <Section title="Impact">
        <Fact name="Why">{readable(node.why)}</Fact>
        {!past && (
          <Fact name="Leverage">
            <span className="tone-warn inline-flex items-center gap-1.5">
              <Zap size={14} className="text-tone-text" aria-hidden />
              {node.leverage === 0 ? 'nothing waits for it' : `unblocks ${node.leverage}`}
            </span>
          </Fact>
        )}
        {path.includes(node.ref) && (
          <Fact name="Critical path">
            step {path.indexOf(node.ref) + 1} of {path.length}
          </Fact>
        )}
        {node.estimateMinutes !== null && <Fact name="Estimate">{node.estimateMinutes} min</Fact>}
      </Section>
      <Proof node={node} />
      <Refs title="Needs" none="It needs nothing.">
        {node.dependsOn.map(({ ref, status, missing }) => (
          <RefLine
            key={ref}
            from={node.plan}
            target={ref}
            look={status ? statusLook[status] : null}
            missing={missing}
            title={other(ref)?.title}
          />
        ))}
      </Refs>
      <Refs title="Unblocks" none="Nothing depends on it.">
        {node.dependents.map((ref) => {
          const known = other(ref);
          return (
            <RefLine
              key={ref}
              from={node.plan}
              target={ref}
              look={known ? nodeLook(known) : null}
              missing={false}
              title={known?.title}
            />
          );
        })}
      </Refs>
      {(node.description || node.repository || node.labels.length > 0) && (
        <Section title="About">
          {node.description && <p className="whitespace-pre-wrap break-words text-fg-2">{node.description}</p>}
          <div className="flex flex-wrap gap-1.5">
            {node.repository && (
              <Link href={`/repositories/${node.repository}`} className="rounded-full hover:text-fg">
                <Chip icon={GitBranch}>{node.repository}</Chip>
              </Link>
            )}
            {node.labels.map((label) => (
              <Chip key={label}>{label}</Chip>
            ))}
          </div>
        </Section>
      )}
      {recent}
    </div>
  );
}

/** The sentence of the observer, with what follows it in the same one. */
const detailOf = ({ detail, observedAt }: Evidence): string =>
  observedAt ? `${readable(detail).replace(/\.$/, '')}, ` : readable(detail);

function Proof({ node }: { node: NodeView }) {
  const { evidence, binding } = node;
  return (
    <Section title="Proof">
      <div className="flex items-center gap-2">
        {evidence?.url && /^https?:/.test(evidence.url) ? (
          <a
            href={evidence.url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-w-0 items-center gap-1.5 underline decoration-dotted"
          >
            <ExternalLink size={13} className="shrink-0" aria-hidden />
            <span className="truncate">{bindingText(binding)}</span>
          </a>
        ) : evidence?.runId ? (
          <Link href={`/runs/${evidence.runId}`} className="min-w-0 truncate underline decoration-dotted">
            {bindingText(binding)}
          </Link>
        ) : (
          <span className="min-w-0 break-words">{bindingText(binding)}</span>
        )}
        {evidence && (
          <span className="ml-auto shrink-0">
            <Chip>{evidenceText(evidence)}</Chip>
          </span>
        )}
      </div>
      {evidence && (evidence.observedAt || evidence.detail !== evidenceText(evidence)) && (
        <p className="text-fg-3 text-sm">
          {evidence.detail === evidenceText(evidence) ? '' : detailOf(evidence)}
          {evidence.observedAt && (
            <span className="whitespace-nowrap">
              {evidence.provenance} <Ago at={evidence.observedAt} suffix=" ago" />
            </span>
          )}
        </p>
      )}
      {node.unbound && <p className="text-fg-3 text-sm">It can never be done until something proves it: bind it.</p>}
    </Section>
  );
}

function Refs({ title, none, children }: { title: string; none: string; children: ReactNode[] }) {
  return (
    <Section title={title}>
      {children.length === 0 ? (
        <p className="text-fg-3">{none}</p>
      ) : (
        <ul className="flex flex-col gap-1">{children}</ul>
      )}
    </Section>
  );
}

/** Where a node is shown: on the page of its plan, and in the view one looks at it already. */
function useHref(plan: string, id: string): string {
  const [place] = useLocation();
  const [params] = useSearchParams();
  const there = `/plans/${plan}`;
  const next = new URLSearchParams(place.toLowerCase() === there.toLowerCase() ? params : {});
  next.set('node', id);
  return `${there}?${next}`;
}

/** A reference by its title where the page knows it; its plan is told only where it is another. */
function RefLine({
  from,
  target,
  look,
  missing,
  title,
}: {
  from: string;
  target: string;
  look: Look | null;
  missing: boolean;
  title: string | undefined;
}) {
  const [plan = '', id = ''] = target.split('/');
  const own = plan.toLowerCase() === from.toLowerCase();
  const href = useHref(plan, id);
  return (
    <li className="flex min-h-6 items-center gap-2">
      {look ? <StateIcon look={look} /> : <CircleDot size={15} className="shrink-0 text-fg-3" aria-hidden />}
      {missing ? (
        <span className="tone-fail text-tone-text">{target} is missing</span>
      ) : (
        <Link href={href} title={target} className="min-w-0 truncate rounded hover:underline">
          {title ?? id}
        </Link>
      )}
      {!own && !missing && <Chip>{plan}</Chip>}
    </li>
  );
}
