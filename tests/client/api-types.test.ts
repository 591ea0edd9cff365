import { expect, test } from 'vitest';
import type * as written from '../../packages/client/src/api-types.ts';
import type { Api, ConsoleApi } from '../../packages/service/src/browser/api.ts';
import type { MessageData, MessageType } from '../../packages/service/src/browser/messages.ts';

/** Lists that cannot be changed, at every depth; members may be missing or undefined. */
type Fixed<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Fixed<Item>[]
      : { readonly [Key in keyof T]: Fixed<T[Key]> };

/** The names of calls whose types differ. */
type Differing<One extends Record<keyof Other, unknown>, Other> = {
  [Name in keyof Other]: [Fixed<One[Name]>] extends [Fixed<Other[Name]>]
    ? [Fixed<Other[Name]>] extends [Fixed<One[Name]>]
      ? never
      : Name
    : Name;
}[keyof Other];

type Messages = { [Type in MessageType]: MessageData<Type> };

const isNever = <T>(..._: [T] extends [never] ? [] : [T]): boolean => true;

test('the types of the published client are those of the service', () => {
  // Only the page of a demonstration requests its story.
  expect(isNever<Differing<written.Api, Omit<Api, 'story' | 'direct_story'>>>()).toBe(true);
  // Bodies in foreign formats have explicit types here: the service accepts anything and reports what is wrong.
  type Pushes = 'push_event_model' | 'push_default_event_model' | 'ingest';
  expect(isNever<Exclude<Differing<written.ConsoleApi, ConsoleApi>, Pushes>>()).toBe(true);
  expect(isNever<Differing<written.MessageMap, Messages>>()).toBe(true);
});
