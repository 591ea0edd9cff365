/** Each agent program tells what it starts in a variable of its own; the publishers read the same ones in the same order. */
const variables = ['CODEX_SESSION_ID', 'COPILOT_AGENT_SESSION_ID', 'CLAUDE_CODE_SESSION_ID'];

/** The session of the agent that runs this command; null when a person does, or the program does not tell. */
export function agentSession(env: Readonly<Record<string, string | undefined>>): string | null {
  return variables.map((name) => env[name]?.trim()).find((id) => id !== undefined && id !== '') ?? null;
}
