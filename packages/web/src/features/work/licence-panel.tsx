import { BadgeCheck } from 'lucide-react';
import type { Problem } from '../../live/problem.ts';
import { Command } from '../../ui/copy-button.tsx';
import { Fact } from '../../ui/facts.tsx';
import { EmptyState } from '../../ui/page.tsx';
import { formatDateTime } from '../../ui/time.tsx';
import { useLicence } from './work-queries.ts';

const titles: Record<string, string> = {
  licence_required: 'The work loop needs a licence',
  licence_invalid: 'The licence is not valid',
  licence_expired: 'The licence has expired',
};

const gates = {
  workLoop: 'ready work, claims, reports and releases',
  record: 'the work loop, and every change of a plan',
  off: 'nothing',
};

/** The state of the licence, shown in place of the ready list; a missing licence is not an error. */
export function LicencePanel({ problem }: { problem: Problem }) {
  const licence = useLicence().data;
  return (
    <div role="alert">
      <EmptyState icon={BadgeCheck} title={titles[problem.code] ?? 'The work loop needs a licence'}>
        <p>{problem.message}</p>
        {licence && (
          <div className="panel mx-auto flex w-full max-w-[400px] flex-col gap-2 px-4 py-3 text-left">
            <Fact name="State">{licence.state}</Fact>
            {licence.edition && <Fact name="Edition">{licence.edition}</Fact>}
            {licence.expiresAt && <Fact name="Ends">{formatDateTime(licence.expiresAt)}</Fact>}
            <Fact name="Needed for">{gates[licence.gate]}</Fact>
          </div>
        )}
        <p>Leave the setting out for the community licence, or name a file that holds yours:</p>
        <Command text="Service__Licence=/path/to/licence.jws npm start" />
      </EmptyState>
    </div>
  );
}
