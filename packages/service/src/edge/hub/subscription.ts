import { isMessageType, messageTypes } from '../../kernel/message-types.ts';
import { nearest } from '../../kernel/nearest.ts';
import { type Fault, isRefusal, type Refusal, refuseShape } from '../../kernel/outcome.ts';
import { queryIn } from '../query.ts';
import type { MessageFilter } from './filter.ts';

/** What a caller asked for. `after` is undefined where it did not ask to resume. */
export type Subscription = { filter: MessageFilter; after: string | undefined };

/** An EventSource that comes back repeats its first address, so the header knows better than `?after=`. */
export function readSubscription(url: string, lastEventId?: string): Subscription | Refusal {
  const query = queryIn(url);
  const types = namesIn(query, 'types');
  if (isRefusal(types)) return types;
  const plans = namesIn(query, 'plan');
  if (isRefusal(plans)) return plans;
  const runIds = namesIn(query, 'runId');
  if (isRefusal(runIds)) return runIds;

  const faults = [...types].flatMap((type) => unknownType(type));
  if (faults.length > 0) return refuseShape(faults);
  return { filter: { types, plans, runIds }, after: lastEventId || query.get('after') || undefined };
}

const maxNames = 100;

/** A member that is there but names nothing would quietly ask for everything; it is a fault instead. */
function namesIn(query: URLSearchParams, member: string): Set<string> | Refusal {
  const given = query.getAll(member);
  const names = given.flatMap((text) => text.split(',')).map((name) => name.trim().toLowerCase());
  const named = new Set(names.filter((name) => name !== ''));
  if (given.length > 0 && named.size === 0) return refuseShape([{ path: member, message: 'names nothing' }]);
  if (named.size > maxNames) return refuseShape([{ path: member, message: `at most ${maxNames} names` }]);
  return named;
}

function unknownType(type: string): Fault[] {
  if (isMessageType(type)) return [];
  const likely = nearest(type, messageTypes);
  const hint = likely ? `did you mean ${likely}?` : `use ${messageTypes.join(', ')}`;
  return [{ path: 'types', message: `unknown type ${type.slice(0, 40)}; ${hint}` }];
}
