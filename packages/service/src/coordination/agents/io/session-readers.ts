import type { SessionReader } from '../ports.ts';
import { isDocumentTool } from '../tools/tool.ts';
import { agentTools, type ToolName, type ToolWithReader } from '../tools/tools.ts';
import { ClaudeSessions } from './claude-sessions.ts';
import { CodexSessions } from './codex-sessions.ts';
import { CopilotSessions } from './copilot-sessions.ts';
import { DocumentSessions } from './document-sessions.ts';
import { GeminiSessions } from './gemini-sessions.ts';
import { OpenCodeSessions } from './opencode-sessions.ts';
import type { ReaderOptions } from './polled-reader.ts';

type Reader = new (options: ReaderOptions) => SessionReader;

/** A tool with a custom layout does not compile without a reader. */
const readers: Readonly<Record<ToolWithReader, Reader>> = {
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
  return agentTools.flatMap((tool): SessionReader[] => {
    const options = homesOf(tool.name).map(optionsOf);
    if (isDocumentTool(tool)) return options.map((one) => new DocumentSessions(tool, one));
    const Reader = byName.get(tool.name);
    return Reader ? options.map((one) => new Reader(one)) : [];
  });
}
