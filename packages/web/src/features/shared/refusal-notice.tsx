import { Link } from 'wouter';
import type { Problem } from '../../live/problem.ts';
import { paths } from '../../paths.ts';
import { Notice } from '../../ui/notice.tsx';
import { formatDateTime } from '../../ui/time.tsx';

const titles: Record<string, string> = {
  licence_required: 'No licence.',
  licence_invalid: 'The licence is not valid.',
  licence_expired: 'The licence has expired.',
  not_holder: 'You do not hold this node.',
  stale_fence: 'The claim has ended.',
  node_done: 'Already done.',
  cycle: 'This dependency would close a cycle.',
  plan_exists: 'The plan already exists.',
  node_exists: 'The node already exists.',
  node_claimed: 'The node is claimed.',
  node_has_dependents: 'Other nodes depend on it.',
  plan_archived: 'The plan is archived.',
  run_live: 'The run is live.',
  unreachable: 'No answer.',
};

/** Shows a refusal with its message, its holder, and the errors that belong to no field. */
export function RefusalNotice({ problem, members = [] }: { problem: Problem | null; members?: readonly string[] }) {
  if (!problem) return null;
  const { heldBy, heldUntil } = problem.body;
  if (problem.status === 402) return <LicenceNotice problem={problem} />;
  return (
    <Notice tone={problem.status === 409 ? 'warn' : 'fail'} role="alert" title={titles[problem.code]}>
      {problem.message}
      {typeof heldBy === 'string' &&
        ` Claimed by ${heldBy}${typeof heldUntil === 'string' ? ` until ${formatDateTime(heldUntil)}` : ''}.`}
      <Faults problem={problem} members={members} />
    </Notice>
  );
}

function Faults({ problem, members }: { problem: Problem; members: readonly string[] }) {
  const elsewhere = problem.faults.filter(
    ({ path, message }) => message !== problem.message && !members.includes(/^\w+/.exec(path)?.[0] ?? ''),
  );
  if (elsewhere.length === 0) return null;
  return (
    <ul className="mt-1 list-disc pl-4">
      {elsewhere.map(({ path, message }) => (
        <li key={path + message}>
          {path && <code className="font-mono text-code">{path}</code>} {message}
        </li>
      ))}
    </ul>
  );
}

/** A missing licence (402) is a state, not an error. */
export function LicenceNotice({ problem }: { problem: Problem }) {
  return (
    <Notice tone="indet" role="alert" title={titles[problem.code] ?? 'A licence is needed.'}>
      {problem.message} Plans, agents and runs stay readable.{' '}
      <Link href={paths.ready} className="underline">
        See the licence
      </Link>
    </Notice>
  );
}
