import type { SessionReader } from '../ports.ts';
import { agentTools, type ObservedTool, type ToolName } from '../tools/tools.ts';
import { ClaudeSessions } from './claude-sessions.ts';
import { CodexSessions } from './codex-sessions.ts';
import { CopilotSessions } from './copilot-sessions.ts';
import { GeminiSessions } from './gemini-sessions.ts';
import { OpenCodeSessions } from './opencode-sessions.ts';
import type { ReaderOptions } from './polled-reader.ts';

type Reader = new (options: ReaderOptions) => SessionReader;

/** A tool with sessions and without a reader does not compile. */
const readers: Readonly<Record<ObservedTool, Reader>> = {
  'claude-code': ClaudeSessions,
  codex: CodexSessions,
  gemini: GeminiSessions,
  copilot: CopilotSessions,
  opencode: OpenCodeSessions,
};

/** One reader for each folder of each tool whose sessions are read. */
export function createSessionReaders(
  homesOf: (tool: ToolName) => readonly string[],
  optionsOf: (home: string) => ReaderOptions,
): SessionReader[] {
  const byName = new Map<string, Reader>(Object.entries(readers));
  return agentTools.flatMap(({ name }) => {
    const Reader = byName.get(name);
    return Reader ? homesOf(name).map((home) => new Reader(optionsOf(home))) : [];
  });
}
