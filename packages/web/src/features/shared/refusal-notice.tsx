import { Link } from 'wouter';
import type { Problem } from '../../live/problem.ts';
import { paths } from '../../paths.ts';
import { Notice } from '../../ui/notice.tsx';
import { formatDateTime } from '../../ui/time.tsx';

const titles: Record<string, string> = {
  licence_required: 'No licence.',
  licence_invalid: 'The licence is not valid.',
  licence_expired: 'The licence has expired.',
  not_holder: 'Not yours right now.',
  stale_fence: 'Your claim is an old one.',
  node_done: 'Already done.',
  cycle: 'That would be a circle.',
  plan_exists: 'That plan exists.',
  node_exists: 'That node exists.',
  node_claimed: 'Somebody is on it.',
  node_has_dependents: 'Others wait for it.',
  plan_archived: 'The plan is archived.',
  run_live: 'The run is live.',
  unreachable: 'No answer.',
};

/** Shows a refusal with its message, holder and field errors. */
export function RefusalNotice({ problem }: { problem: Problem | null }) {
  if (!problem) return null;
  const { heldBy, heldUntil } = problem.body;
  if (problem.status === 402) return <LicenceNotice problem={problem} />;
  return (
    <Notice tone={problem.status === 409 ? 'warn' : 'fail'} role="alert" title={titles[problem.code]}>
      {problem.message}
      {typeof heldBy === 'string' &&
        ` Held by ${heldBy}${typeof heldUntil === 'string' ? ` until ${formatDateTime(heldUntil)}` : ''}.`}
      <Faults problem={problem} />
    </Notice>
  );
}

function Faults({ problem }: { problem: Problem }) {
  if (problem.faults.length === 0) return null;
  return (
    <ul className="mt-1 list-disc pl-4">
      {problem.faults.map(({ path, message }) => (
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
