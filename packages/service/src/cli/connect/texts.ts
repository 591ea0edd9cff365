/** The loop, for every agent. */
export const agentsSection = `## Working with Signalbox

Work is planned in Signalbox (MCP server \`signalbox\`). When you are asked to take work from it:

1. \`next_ready_nodes\` lists the ready nodes of this repository, the most useful first. \`claim_next\` claims the best one.
   Pass \`repository\` or \`plan\` to work elsewhere.
2. \`claim_node\` before you touch anything. Pass \`agent\` (a name that stays yours) and, where your tool has one, \`session\`.
   \`claimed: false\` means that somebody else holds it: take another node, do not wait.
3. \`report_node\` at every milestone, and before half of the lease is over. A report renews the lease.
4. \`release_node\` when you stop: with \`outcome: submitted\` when your part is finished and its proof is awaited, \`failed\` when you could not.
   Too large? \`split_node\` adds smaller nodes before it. It must wait for something? \`add_dependency\`. Opened a pull request? \`bind_node\`.
5. \`overlaps\` in an answer are files that you and others change at the same time: rebase on the default branch, describe your change in the note, or wait for the other node (\`await_node\`). Never undo the change of another.
6. Never say that a node is done. Its binding proves it: a merged pull request, a green suite, a published package.
   A \`trailer\` in the answer to your claim is a line for your commit message: it names the node. Run the suite of a node with \`npx signalbox run --node <plan>/<node> -- <test command>\`.
`;

/** The same loop as a skill, with the session id that Claude Code fills in. */
export const skill = `---
name: signalbox
description: Take work from Signalbox plans - find a ready node, claim it, report while working, release it. Use when asked to pick up, continue or hand back planned work.
---

# Signalbox: the work loop

The session id of this conversation is \`\${CLAUDE_SESSION_ID}\`. Pass it as \`session\` in every claim and report.

1. **Next.** \`next_ready_nodes\` lists the ready nodes of this repository (\`plan\`, \`repository\`, \`label\` choose others). Nothing
   ready: say so and stop.
2. **Claim.** \`claim_node\` with \`plan\`, \`node\`, \`agent\`, \`session\`. On \`claimed: false\` take another node.
   A \`readyWarning\` names what the node still waits for: tell the user before you go on.
3. **Work.** Keep the \`fence\` of the claim and send it with every report. \`inputs\` are the results of the node's dependencies.
   Too large for one session: \`split_node\` adds smaller nodes that the node then depends on, and releases it.
4. **Report** with \`report_node\` at each milestone and before half of the lease is over (30 minutes by default).
   409 \`not_holder\` or \`stale_fence\`: the claim is lost. Stop making changes, check who holds the node, and tell the user.
   \`overlaps\` in its answer are files that you and others change at the same time (\`with\` names the node or branch):
   rebase on the default branch, say in the note what you change there, or wait for the other node with \`await_node\`. Never
   undo the changes of others.
5. **Prove.** Put the \`trailer\` of the claim, if there is one, into your commit message. Run the node's suite as \`npx signalbox run --node <plan>/<node> -- <test command>\`.
6. **Release** with \`release_node\` when you stop: \`outcome: submitted\` when your part is finished (it is then not offered
   to others while its proof is awaited), \`failed\` when you could not (the node is handed out again later, and a person is asked
   after too many failures), neither when you only release it. \`result\` is passed to the holders of nodes that depend on it.

Never call a node done, neither in a report nor in a release: only its evidence makes it done.
`;

/** Whether this or an earlier version of Signalbox wrote a skill file. */
export const isOurSkill = (text: string): boolean =>
  text.includes('name: signalbox') && text.includes('# Signalbox: the work loop');
