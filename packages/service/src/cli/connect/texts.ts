/** The loop, for every agent. */
export const agentsSection = `## Working with Signalbox

Work is planned in Signalbox (MCP server \`signalbox\`). When you are asked to take work from it:

1. \`next_ready_nodes\` lists what can be started, the most useful first. \`claim_next\` takes the best one in one step.
2. \`claim_node\` before you touch anything. Pass \`agent\` (a name that stays yours) and, where your tool has one, \`session\`.
   \`claimed: false\` means that somebody else has it: take another one, do not wait.
3. \`report_node\` at every milestone, and before half of the lease is over. A report renews the lease.
4. \`release_node\` when you stop, finished or not.
5. Never say that a node is done. Its binding proves it: a merged pull request, a green suite, a published package.
   Run the suite of a node with \`npx signalbox run --node <plan>/<node> -- <test command>\`.
`;

/** The same as a skill, with the session id that Claude Code fills in. */
export const skill = `---
name: signalbox
description: Take work from Signalbox plans - find a ready node, claim it, report while working, release it. Use when asked to pick up, continue or hand back planned work.
---

# Signalbox: the work loop

The session id of this conversation is \`\${CLAUDE_SESSION_ID}\`. Pass it as \`session\` in every claim and report.

1. **Next.** \`next_ready_nodes\` (narrow with \`plan\`, \`repository\`, \`label\`). Nothing ready: say so and stop.
2. **Claim.** \`claim_node\` with \`plan\`, \`node\`, \`agent\`, \`session\`. On \`claimed: false\` take another node.
   A \`readyWarning\` names what the node still waits for: tell the user before you go on.
3. **Work.** Keep the \`fence\` of the claim and send it with every report.
4. **Report** with \`report_node\` at each milestone and before half of the lease is over (30 minutes unless asked otherwise).
   409 \`not_holder\` or \`stale_fence\`: the claim is lost. Stop changing things, look who holds it, tell the user.
5. **Prove.** Run the node's suite as \`npx signalbox run --node <plan>/<node> -- <test command>\`.
6. **Release** with \`release_node\` when you stop, whatever the state of the work.

Never call a node done, and never call a release "done": only its evidence makes it so.
`;

/** Adds the session to a claim, so that nobody has to remember it. */
export const sessionHook = `// signalbox: adds this session's id to claims and reports (PreToolUse hook of Claude Code).
let text = '';
for await (const part of process.stdin) text += part;
const { session_id: session, tool_input: input = {} } = JSON.parse(text);
if (session && !input.session) {
  const updatedInput = { ...input, session };
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput } }));
}
`;

/** Reminds of a claim that is still held when the agent stops. A service that is away is no reason to wait. */
export const stopHook = (
  url: string,
) => `// signalbox: a reminder when stopping with a claim held (Stop hook of Claude Code).
const service = process.env.SIGNALBOX_SERVICE_URL ?? ${JSON.stringify(url)};
let text = '';
for await (const part of process.stdin) text += part;
try {
  const { session_id: session, stop_hook_active: again } = JSON.parse(text);
  const token = process.env.SIGNALBOX_TOKEN;
  const headers = token ? { authorization: \`Bearer \${token}\` } : {};
  const ask = { headers, signal: AbortSignal.timeout(1000) };
  const answer = again ? null : await fetch(\`\${service}/api/agents/\${encodeURIComponent(session)}\`, ask);
  const held = answer?.ok ? (await answer.json()).claims.map(({ plan, node }) => \`\${plan}/\${node}\`) : [];
  if (held.length > 0) {
    const additionalContext = \`You still hold \${held.join(', ')} in Signalbox: report_node if you go on, release_node if you stop.\`;
    console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'Stop', additionalContext } }));
  }
} catch {
  // No service, no reminder.
}
`;
