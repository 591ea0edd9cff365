import { TriangleAlert } from 'lucide-react';
import { useReadiness } from '../features/shared/readiness.ts';
import { useServiceUnreachable } from '../live/connection.ts';

/** Shown over every page while something stops the service from working, or soon will. */
export function ConditionsBanner() {
  const away = useServiceUnreachable();
  const data = useReadiness();
  // If the database is unreachable, the banner above shows that sooner.
  const conditions = data?.conditions.filter(({ code }) => code !== 'database_away') ?? [];
  if (away || !data || conditions.length === 0) return null;
  return (
    <div role="status" className={`${data.ready ? 'tone-warn' : 'tone-fail'} tint border-b px-page py-2`}>
      <ul className="grid gap-1">
        {conditions.map(({ code, severity, detail, next }) => (
          <li key={code} className="flex gap-2.5 text-fg">
            <TriangleAlert size={16} className="mt-0.5 shrink-0 text-tone-text" aria-hidden />
            <p className="min-w-0">
              <b className="font-semibold text-tone-text">
                {severity === 'down' ? 'Signalbox is not ready.' : 'Signalbox needs attention.'}
              </b>{' '}
              {detail} {next}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
