import { ExternalLink, GitBranch, X, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Evidence, NodeView } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { StateIcon, StateLabel } from '../../ui/appearance.tsx';
import { IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Fact, Section } from '../../ui/facts.tsx';
import { countWithNoun, formatCount } from '../../ui/format-count.ts';
import { Notice } from '../../ui/notice.tsx';
import { Chip } from '../../ui/page.tsx';
import { formatDateTime, TimeAgo, withLocalTimes } from '../../ui/time.tsx';
import { ClaimFacts, PastClaim, PreviousClaim } from './claim-facts.tsx';
import { NodeActions } from './node-actions.tsx';
import { nodeAppearance } from './node-appearance.ts';
import { NodeRefs } from './node-refs.tsx';
import { bindingText, claimTrouble, evidenceText } from './node-text.ts';
import { Unbound } from './unbound.tsx';

/** Everything about one node: its status and why, its claim, its dependencies and dependents. */
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
  /** Returns another node, if the page has loaded it. */
  other?: (ref: string) => NodeView | undefined;
  /** References on the critical path, if the page knows it. */
  path?: readonly string[];
  /** Whether this is a past state: without actions and without facts known only for the present. */
  past?: boolean;
}) {
  const appearance = nodeAppearance(node);
  const trouble = node.claim && claimTrouble(node.claim);
  return (
    <div className="flex flex-col gap-5 px-4 py-4">
      <div className="flex flex-col gap-3">
        <div className="flex items-start gap-2.5">
          <span className="mt-0.5">
            <StateIcon appearance={appearance} size={17} />
          </span>
          <div className="min-w-0 flex-1">
            <h2 className="break-words font-semibold text-heading leading-5">{node.title}</h2>
            <p className="flex items-center gap-1 font-mono text-code text-fg-3">
              <span className="min-w-0 break-all">{node.ref}</span>
              <CopyButton text={node.ref} what="reference" />
            </p>
          </div>
          <StateLabel appearance={appearance} />
          {node.unbound && <Unbound />}
          <span className="-my-1 -mr-1.5">
            <IconButton icon={X} label="Close" onClick={onClose} />
          </span>
        </div>
        {trouble && (
          <div className={`tone-${appearance.tone}`}>
            <Notice tone={appearance.tone} title={trouble.title} icon={appearance.icon}>
              {trouble.text}
            </Notice>
          </div>
        )}
        {!archived && !past && <NodeActions node={node} titleOf={(ref) => other(ref)?.title} />}
      </div>
      {node.claim &&
        (past ? <PastClaim claim={node.claim} /> : <ClaimFacts claim={node.claim} previous={node.lastClaim} />)}
      {!node.claim && node.lastClaim && <PreviousClaim claim={node.lastClaim} />}
      {!past && <Attempts node={node} />}
      <Section title="Impact">
        <Fact name="Why">{withLocalTimes(node.why)}</Fact>
        {!past && (
          <Fact name="Leverage">
            <span className="tone-warn inline-flex items-center gap-1.5">
              <Zap size={14} className="text-tone-text" aria-hidden />
              {node.leverage === 0
                ? 'no open node waits for it'
                : `${countWithNoun(node.leverage, 'open node')} ${node.leverage === 1 ? 'waits' : 'wait'} for it`}
            </span>
          </Fact>
        )}
        {path.includes(node.ref) && (
          <Fact name="Critical path">
            step {path.indexOf(node.ref) + 1} of {path.length}
          </Fact>
        )}
        {node.priority !== 'normal' && <Fact name="Priority">{node.priority}</Fact>}
        {node.estimateMinutes !== null && <Fact name="Estimate">{node.estimateMinutes} min</Fact>}
        {(node.budget || node.spent.tokens > 0) && (
          <Fact name="Spent">
            {formatCount(node.spent.tokens)}
            {node.budget && ` of ${formatCount(node.budget.tokens)}`} tokens
          </Fact>
        )}
      </Section>
      <Touches node={node} />
      <Proof node={node} past={past} />
      <NodeRefs node={node} other={other} readOnly={archived || past} />
      {(node.description || node.repository || node.labels.length > 0) && (
        <Section title="About">
          {node.description && <p className="whitespace-pre-wrap break-words text-fg-2">{node.description}</p>}
          <div className="flex flex-wrap gap-1.5">
            {node.repository && (
              <Link href={paths.repositoryNamed(node.repository)} className="rounded-full hover:text-fg">
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

/** Resources and files that others must not use or change at the same time, and files that its earlier claims changed beyond those. */
function Touches({ node: { touches, uses, touched, claim, overlaps, repository } }: { node: NodeView }) {
  const unsaid = touched.filter((glob) => !touches.includes(glob));
  const isWatched = claim?.sessionId != null && repository !== null;
  if (touches.length + uses.length + unsaid.length === 0 && !isWatched) return null;
  return (
    <Section title="Files and resources">
      {touches.length > 0 && <Fact name="Touches">{touches.join(', ')}</Fact>}
      {uses.length > 0 && <Fact name="Uses">{uses.join(', ')}</Fact>}
      {isWatched && (
        <Fact name="Changes">
          <Link href={paths.changes(repository)} className="rounded underline decoration-dotted">
            {overlaps === 0 ? 'no overlap with other trees' : countWithNoun(overlaps, 'overlap')}
          </Link>
        </Fact>
      )}
      {unsaid.length > 0 && <Fact name="Changed earlier">{unsaid.join(', ')}</Fact>}
    </Section>
  );
}

/** Failed attempts, and why the node is not handed out now. */
function Attempts({ node: { attempts, parked, notBefore } }: { node: NodeView }) {
  if (attempts.failed === 0 && parked === null && notBefore === null) return null;
  return (
    <Section title="Attempts">
      {parked && (
        <Fact name="Parked">
          {parked === 'budget' ? 'its budget is used up' : 'until somebody resets or claims it'}
        </Fact>
      )}
      <Fact name="Failed">
        {attempts.failed} of {attempts.limit}
      </Fact>
      {notBefore && parked === null && <Fact name="Not before">{formatDateTime(notBefore)}</Fact>}
      {attempts.last.map(({ agent, at, note, how }) => (
        <p key={`${at} ${agent}`} className="break-words text-fg-2">
          {agent} {how === 'expired' ? 'let the lease expire' : 'released it'} <TimeAgo at={at} suffix=" ago" />
          {note && <span className="whitespace-pre-wrap text-fg-3">: “{note}”</span>}
        </p>
      ))}
    </Section>
  );
}

/** The detail of the evidence, ending in a comma when its age follows. */
const detailOf = ({ detail, observedAt }: Evidence): string =>
  observedAt ? `${withLocalTimes(detail).replace(/\.$/, '')}, ` : withLocalTimes(detail);

function Proof({ node, past }: { node: NodeView; past: boolean }) {
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
          <Link href={paths.run(evidence.runId)} className="min-w-0 truncate underline decoration-dotted">
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
              {evidence.provenance} <TimeAgo at={evidence.observedAt} suffix=" ago" />
            </span>
          )}
        </p>
      )}
      {node.unbound && !past && (
        <p className="text-fg-3 text-sm">Nothing proves this node, so it can never be done. Bind it to its evidence.</p>
      )}
    </Section>
  );
}
