import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';

type Definition = Prompt & { text: (given: Readonly<Record<string, string>>) => string };

const definitions: readonly Definition[] = [
  {
    name: 'take_work',
    title: 'Take the next node',
    description: 'Claim the best ready node, work on it, report, release.',
    arguments: [
      { name: 'agent', description: 'The name to claim under', required: false },
      { name: 'repository', description: 'owner/name; default: the repository of this connection', required: false },
    ],
    text: ({ agent, repository }) =>
      [
        `Call claim_next${agent ? ` with agent "${agent}"` : ' with your name as agent'}${repository ? ` and repository "${repository}"` : ''}.`,
        'If nothing is ready, say so and stop. Otherwise read the description, lastClaim.note and inputs, and do the work; put the trailer, if there is one, into your commit message. split_node if it is too large.',
        'Call report_node with a note before half the lease is over. When you stop, call release_node: outcome submitted when your part is finished, failed when you could not.',
        'The node is done when its proof is observed, not when you release it.',
      ].join('\n'),
  },
  {
    name: 'plan_from_repository',
    title: 'Plan from a repository',
    description: 'Read a repository and write its open work as a plan.',
    arguments: [{ name: 'repository', description: 'owner/name', required: true }],
    text: ({ repository = '' }) =>
      [
        `Read the repository ${repository}: its documentation, open issues and tests.`,
        `Write its open work with create_plan, with repository "${repository}": small nodes that one agent finishes in an hour, each with a title, a description and what it depends on.`,
        'Bind each node to what proves it done (bind_node lists the kinds). Then call plan_status and show which nodes are ready.',
      ].join('\n'),
  },
];

export const prompts: readonly Prompt[] = definitions.map(({ text: _, ...prompt }) => prompt);

/** Undefined where no prompt has that name. */
export function promptNamed(name: string, given: Readonly<Record<string, string>> = {}): GetPromptResult | undefined {
  const found = definitions.find((one) => one.name === name);
  if (!found) return undefined;
  const { description } = found;
  return {
    ...(description !== undefined && { description }),
    messages: [{ role: 'user', content: { type: 'text', text: found.text(given) } }],
  };
}
