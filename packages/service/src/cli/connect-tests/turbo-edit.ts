import { findNodeAtLocation, modify, parseTree } from 'jsonc-parser';
import type { TextEdit } from './text-edit.ts';
import { indentUnitOf, lineEndOf } from './text-edit.ts';

export const turboFile = 'turbo.json';

/** The variables that publishers read; turbo hides every variable from its tasks unless its configuration names it. */
const variables = [
  'SIGNALBOX',
  'SIGNALBOX_*',
  'CLAUDE_CODE_SESSION_ID',
  'CODEX_SESSION_ID',
  'COPILOT_AGENT_SESSION_ID',
];

/** Passes the publishers' variables to the tasks of turbo without making them part of a cache key. */
export function turboEdits(text: string): TextEdit[] {
  const tree = parseTree(text);
  if (!tree || findNodeAtLocation(tree, ['envMode'])?.value === 'loose') return [];
  const list = findNodeAtLocation(tree, ['globalPassThroughEnv']);
  const named = (list?.children ?? []).map(({ value }) => String(value));
  const missing = variables.filter((name) => !named.includes(name));
  if (missing.length === 0) return [];
  const unit = indentUnitOf(text);
  const formattingOptions = { insertSpaces: !unit.includes('\t'), tabSize: unit.length, eol: lineEndOf(text) };
  const edits = modify(text, ['globalPassThroughEnv'], [...named, ...missing], { formattingOptions });
  return edits.map(({ offset, length, content }) => ({ start: offset, end: offset + length, text: content }));
}
