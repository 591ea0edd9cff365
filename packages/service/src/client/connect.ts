import type { Api, ConsoleApi } from '../browser/api.ts';
import type { Call } from '../browser/call.ts';
import type { MessageData, MessageType } from '../browser/messages.ts';
import { consoleRoutes, routes } from '../browser/routes.ts';
import { type CallOptions, Calls, type ConnectOptions } from './calls.ts';
import { type Worker, type WorkHandler, type WorkOptions, work } from './work.ts';

/** Stops listening. `ready` settles once messages arrive. */
export type Off = (() => void) & { readonly ready: Promise<void> };

type CallMap = Record<string, { input: object; output: unknown }>;
/** Calls by name; the input may be omitted if none is required. */
type BoxCall<Map extends CallMap> = Call<Map, CallOptions> &
  (<Name extends WithoutInput<Map>>(name: Name) => Promise<Map[Name]['output']>);
type WithoutInput<Map extends CallMap> = {
  [Name in keyof Map & string]: object extends Map[Name]['input'] ? Name : never;
}[keyof Map & string];

/** A connection to the coordination port. */
export type Box = Disposable & {
  readonly url: string;
  /** Calls a command by its name. A refusal is thrown as `Refused`, no answer as `Unreachable`. */
  call: BoxCall<Api>;
  /** Subscribes to messages of one type. `reset`: messages were missed, so read again what is shown. */
  on<Type extends MessageType>(type: Type, hear: (data: MessageData<Type>) => void): Off;
  /** Takes ready nodes and works on them until it is stopped. */
  work(options: WorkOptions, handler: WorkHandler): Worker;
  /** Ends the connection; calls under way are rejected. */
  close(): void;
};

/** A connection to a run console, which answers only REST. */
export type ConsoleBox = { readonly url: string; call: BoxCall<ConsoleApi> };

/** Connects to the coordination port of a Signalbox, by default on this machine. Nothing is sent before the first call. */
export function connect(options: ConnectOptions = {}): Box {
  const rest = { ...options, url: rootOf(options.url ?? 'http://localhost:5526') };
  const calls = new Calls(routes, rest, options);
  const close = () => calls.close();
  // Input and output of a command are typed by the map of all commands.
  const call = ((name: string, input?: object, given?: CallOptions) => calls.call(name, input, given)) as Box['call'];
  return {
    url: rest.url,
    call,
    on(type, hear) {
      const { off, ready } = calls.listeners.add([type], (message) => {
        if (message.type === type) hear(message.data as MessageData<typeof type>);
      });
      return Object.assign(off, { ready });
    },
    work: (given, handler) =>
      work(given, handler, {
        call,
        close,
        later: calls.later,
        listen: (types, hear) => calls.listeners.add(types, hear),
      }),
    close,
    [Symbol.dispose]: close,
  };
}

/** Connects to a run console, by default on this machine. */
export function connectConsole(options: ConnectOptions = {}): ConsoleBox {
  const rest = { ...options, url: rootOf(options.url ?? 'http://localhost:5525') };
  const calls = new Calls(consoleRoutes, rest, { ...options, socket: false });
  const call = (name: string, input?: object, given?: CallOptions) => calls.call(name, input, given);
  return { url: rest.url, call: call as ConsoleBox['call'] };
}

const rootOf = (url: string): string => (url.endsWith('/') ? rootOf(url.slice(0, -1)) : url);
