/** Each agent program passes its session to child processes in its own variable; the publishers read the same ones in the same order. */
const variables = ['CODEX_SESSION_ID', 'COPILOT_AGENT_SESSION_ID', 'CLAUDE_CODE_SESSION_ID'];

/** The session of the agent that runs this command; null if a person runs it, or if the program does not pass its session. */
export function agentSession(env: Readonly<Record<string, string | undefined>>): string | null {
  return variables.map((name) => env[name]?.trim()).find((id) => id !== undefined && id !== '') ?? null;
}
