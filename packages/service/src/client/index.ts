/** The public exports of the package. */
export type { Api, ConsoleApi } from '../browser/api.ts';
export type { Message, MessageData, MessageType } from '../browser/messages.ts';
export type { MonitorEvent, Outcome } from '../browser/monitor-events.ts';
export type { CallOptions, ConnectOptions } from './calls.ts';
export { type Box, type ConsoleBox, connect, connectConsole, type Off } from './connect.ts';
export { Refused, Unreachable } from './refused.ts';
export type { Claim, Worker, WorkHandler, WorkOptions } from './work.ts';
export { type AbortCode, WorkAborted } from './work-aborted.ts';
export type { Defer, WorkHelp } from './work-help.ts';
