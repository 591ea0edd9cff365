/** Members whose text comes from the tool itself, not from a person or a model. */
const ownWords = new Set([
  'type',
  'role',
  'kind',
  'status',
  'subtype',
  'finish',
  'reason',
  'stop_reason',
  'hookType',
  'producer',
  'delivery',
  'hook_event_name',
  'source',
  'originator',
  'cli_version',
  'version',
  'copilotVersion',
  'entrypoint',
  'userType',
  'stopReason',
  'name',
  'toolName',
  'tool',
  'mcpToolName',
  'mcpServerName',
  'operation',
  'mode',
  'permissionMode',
  'phase',
  'model',
  'modelID',
  'selectedModel',
]);
const paths = new Set(['cwd', 'gitRoot', 'directory', 'worktree', 'root', 'workspace_roots', 'originalCwd']);
const branches = new Set(['branch', 'gitBranch']);
const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const ownId = /^(ses|msg|prt|toolu|call|fc|resp|chatcmpl)_\w+$/;

/**
 * The same records with every text replaced: only ids, times, directories and the tool's own words stay. `root` becomes
 * `/fx`, so that nothing of the machine is left.
 */
export function scrubbed(value: unknown, root: string, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => scrubbed(item, root, key));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [safeKey(name), scrubbed(member, root, name)]),
    );
  }
  return typeof value === 'string' ? scrubbedText(value, root, key) : value;
}

function scrubbedText(text: string, root: string, key: string): string {
  if (text === '' || id.test(text) || instant.test(text) || ownId.test(text) || branches.has(key)) return text;
  if (paths.has(key)) return text.startsWith(root) ? text.replace(root, '/fx') : '/fx/elsewhere';
  return ownWords.has(key) && /^[\w.:/<>-]{1,60}$/.test(text) ? text : 'text';
}

/** In some maps a key may be a path or a prompt. */
const safeKey = (name: string): string => (/^[\w$.:-]{1,60}$/.test(name) ? name : 'key');

export const scrubbedLines = (text: string, root: string): string =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${JSON.stringify(scrubbed(JSON.parse(line), root))}\n`)
    .join('');
