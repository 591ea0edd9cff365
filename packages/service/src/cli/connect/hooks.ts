import { routes } from '../../browser/routes.ts';
import type { ConnectOptions } from './connect-options.ts';

/** Claude Code sets this variable if it is interactive; `claude -p` cannot ask anybody. */
const attended = `?attended=$\{CLAUDE_CODE_SESSION_ATTENDED:-1}`;

/**
 * Sends the hook's input to the service and prints the answer. It needs neither Node nor a script, and is silent if the
 * service is down, so that it never stops an agent.
 */
export function hookCommand({ url, token, hooksOnly }: ConnectOptions, tool: 'claude-code' | 'codex'): string {
  const bearer = token ? ' -H "authorization: Bearer $SIGNALBOX_TOKEN"' : '';
  const host = hooksOnly === null ? '' : `&host=${hooksOnly}`;
  const query = tool === 'claude-code' ? `${attended}${host}` : '';
  const address = `${url}${routes.agent_hook.path}${query}`;
  return `curl -sf -m 2 -H 'content-type: application/json'${bearer} --data-binary @- "${address}" || true`;
}
