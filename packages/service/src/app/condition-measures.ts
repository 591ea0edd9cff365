import type { Registry } from 'prom-client';
import { CollectedMeasures } from '../edge/metrics.ts';
import { conditionCodes, isReady } from '../kernel/conditions.ts';
import type { Telemetry } from '../telemetry/io/open-telemetry.ts';
import type { ConditionWatch } from './condition-watch.ts';

const dayMs = 24 * 60 * 60_000;

/** The conditions as metrics, and the numbers behind them. A number that does not apply is omitted. */
export function conditionMeasures(watch: ConditionWatch, telemetry: Pick<Telemetry, 'counts'> | null): Registry {
  const measures = new CollectedMeasures();
  measures.gauge('signalbox_ready', 'Whether the service can do its work, as GET /api/ready reports: 1 or 0.', () =>
    Number(isReady(watch.conditions())),
  );
  measures.gaugeOf('signalbox_condition', 'Whether a condition holds, by its code.', 'code', () => {
    const now = new Set(watch.conditions().map(({ code }) => code));
    return conditionCodes.map((code) => [code, Number(now.has(code))] as const);
  });
  measures.gauge('signalbox_store_up', 'Whether the store accepts writes.', () => {
    const { store, databaseAwaySince } = watch.facts();
    return Number(databaseAwaySince === null && store.state === 'ready');
  });
  measures.gauge(
    'signalbox_data_free_bytes',
    'Free space on the disk of the data path.',
    () => watch.facts().freeBytes,
  );
  measures.gauge('signalbox_tls_days_left', 'Days until the TLS certificate expires.', () => {
    const { certificate, now } = watch.facts();
    return certificate && (certificate.until - now) / dayMs;
  });
  measures.gauge('signalbox_backup_age_seconds', 'Age of the last backup that was verified.', () => {
    const { backup, now } = watch.facts();
    return backup.lastAt === null ? null : Math.max(0, (now - backup.lastAt) / 1000);
  });
  measures.gauge(
    'signalbox_notifications_failing',
    'Notifications rejected since the last accepted one.',
    () => watch.facts().notifications.failed,
  );
  if (telemetry) {
    const { traces, metrics } = telemetry.counts;
    measures.countsByWord('signalbox_otel_traces_total', 'Traces for the collector, by result.', 'result', traces);
    measures.countsByWord('signalbox_otel_readings_total', 'Metric collections for the collector.', 'result', metrics);
  }
  return measures.registry;
}
