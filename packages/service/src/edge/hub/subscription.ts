import { isMessageType, messageTypes } from '../../kernel/message-types.ts';
import { type Fault, isRefusal, type Refusal, refuseShape } from '../../kernel/outcome.ts';
import { nearest } from '../../kernel/text.ts';
import { queryIn } from '../rest-input.ts';
import type { MessageFilter } from './message.ts';

/** The requested subscription. `after` is undefined if the caller did not ask to resume. */
export type Subscription = { filter: MessageFilter; after: string | undefined };

/** An EventSource that reconnects repeats its first address, so the header takes precedence over `?after=`. */
export function readSubscription(url: string, lastEventId?: string): Subscription | Refusal {
  const query = queryIn(url);
  const filter = filterOf((member) => query.getAll(member));
  return isRefusal(filter) ? filter : { filter, after: lastEventId || query.get('after') || undefined };
}

const members = ['types', 'plan', 'runId', 'after'];

/** A subscription from the members of an object, each one value or a list. */
export function subscriptionOf(asked: Readonly<Record<string, unknown>>): Subscription | Refusal {
  const unknown = Object.keys(asked).filter((member) => !members.includes(member));
  const faults = unknown.map((path) => ({ path, message: `is not known; use ${members.join(', ')}` }));
  for (const path of members) {
    const isText = [asked[path] ?? ''].flat().every((value) => typeof value === 'string');
    if (!isText)
      faults.push({ path, message: path === 'after' ? 'must be a text' : 'must be a string or a list of strings' });
  }
  if (faults.length > 0) return refuseShape(faults);
  const { after } = asked;
  const filter = filterOf((member) => [asked[member] ?? []].flat().map(String));
  return isRefusal(filter) ? filter : { filter, after: typeof after === 'string' && after !== '' ? after : undefined };
}

function filterOf(given: (member: string) => readonly string[]): MessageFilter | Refusal {
  const types = namesIn(given, 'types');
  if (isRefusal(types)) return types;
  const plans = namesIn(given, 'plan');
  if (isRefusal(plans)) return plans;
  const runIds = namesIn(given, 'runId');
  if (isRefusal(runIds)) return runIds;
  const faults = [...types].flatMap((type) => unknownType(type));
  return faults.length > 0 ? refuseShape(faults) : { types, plans, runIds };
}

const maxNames = 100;

/** An empty member would silently subscribe to everything; it is an error instead. */
function namesIn(all: (member: string) => readonly string[], member: string): Set<string> | Refusal {
  const given = all(member);
  const names = given.flatMap((text) => text.split(',')).map((name) => name.trim().toLowerCase());
  const named = new Set(names.filter((name) => name !== ''));
  if (given.length > 0 && named.size === 0) return refuseShape([{ path: member, message: 'is empty' }]);
  if (named.size > maxNames) return refuseShape([{ path: member, message: `at most ${maxNames} names` }]);
  return named;
}

function unknownType(type: string): Fault[] {
  if (isMessageType(type)) return [];
  const likely = nearest(type, messageTypes);
  const hint = likely ? `did you mean ${likely}?` : `use ${messageTypes.join(', ')}`;
  return [{ path: 'types', message: `unknown type ${type.slice(0, 40)}; ${hint}` }];
}
