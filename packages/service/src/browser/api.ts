import type { z } from 'zod';
import type { consoleTable } from '../console/registry.ts';
import type { coordinationTable } from '../coordination/registry.ts';
import type { DeviceAnswer, Me, Pass } from '../kernel/access.ts';
import type { AnyCommand } from '../kernel/command.ts';
import type { Condition } from '../kernel/conditions.ts';
import type { Licence, LicenceGate } from '../kernel/dispatch.ts';
import type { Document } from '../kernel/document.ts';
import type { StoryAction, StoryState } from '../kernel/story.ts';
import type { routes } from './routes.ts';

/** Command name to its REST input and output. Types only: derived from the registries, never written by hand. */
export type Api = ApiOf<(typeof coordinationTable)[number]> & ExtraApi;
export type ConsoleApi = ApiOf<(typeof consoleTable)[number]> & ConsoleExtraApi;

/** The commands that REST can call; the others are MCP tools only. */
export type RestApi = Pick<Api, keyof typeof routes>;

type ApiOf<Commands extends AnyCommand<never>> = {
  [Each in Commands as Each['name']]: { input: z.input<Each['input']>; output: Answer<z.output<Each['output']>> };
};

/**
 * REST sends only the items of a list, and a document as its text; a long detail is a document in the shape of the
 * detail.
 */
type Answer<Out> = [Out] extends [Document]
  ? string
  : Out extends { items: readonly (infer Item)[]; total: number; offset: number }
    ? readonly Item[]
    : Exclude<Out, Document>;

/** Routes that are not commands. */
type ExtraApi = {
  licence: { input: object; output: Licence & { gate: LicenceGate } };
  /** The hub as a stream of server-sent events. */
  messages: { input: { after?: string }; output: string };
  login: { input: { token: string }; output: object };
  /** `next` is the address where a person who signed in at a provider also signs out there. */
  logout: { input: object; output: { next?: string } };
  /** The provider where people sign in, and why the last attempt of this browser was refused. */
  sign_in_options: { input: object; output: { provider: string | null; refused?: string } };
  /** Sends the browser to the provider, and then back to the page `to`. */
  start_sign_in: { input: { to?: string }; output: object };
  finish_sign_in: { input: object; output: object };
  start_device_sign_in: { input: object; output: DeviceAnswer };
  /** `waiting` until the code is entered. */
  finish_device_sign_in: { input: { device: string }; output: Pass | { waiting: 'pending' | 'slower' } };
  renew_sign_in: { input: { renewal: string }; output: Pass };
  end_sign_in: { input: { renewal: string }; output: object };
  /** Exists only in a demo. */
  story: { input: object; output: StoryState };
  direct_story: { input: { action: StoryAction }; output: StoryState };
  /** The caller and its scopes. */
  me: { input: object; output: Me };
  /** Answered with 503 while the service is not ready. */
  readiness: { input: object; output: { ready: boolean; conditions: readonly Condition[] } };
};

type ConsoleExtraApi = {
  /** The batch; as JSON text if the console must archive the events byte for byte. */
  ingest: {
    input: { batch: string | { events: readonly object[] } };
    output: { rejected: readonly { index: number; message: string }[] };
  };
  /** A token for the tests of `signalbox run`, which can only publish to that run. */
  run_token: { input: { runId: string }; output: { token: string; expiresAt: string } };
};
