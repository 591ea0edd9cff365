import { rules } from './rules.ts';

export const mcp = [
  ...rules('interface §1, contract 12', {
    'mcp:endpoint': 'MCP is served at /api/mcp on 5526 and on no other port.',
  }),
  ...rules('contract 12', {
    'mcp:stock-client': 'A stock client of the official SDK can initialize, list the tools and call them.',
    'mcp:stateless': 'MCP is Streamable HTTP without a session: any request can be served after a restart.',
    'mcp:structured-content-is-rest-body':
      'The structuredContent of a tool is the REST body of its twin; a list comes in its paged shape.',
    'mcp:argument-names':
      'Arguments are named as in REST bodies and queries, with plan, node, sessionId, owner, name, runId, source for the path and by for the actor.',
    'mcp:document-and-binding': 'A document or binding body is the argument `document` or `binding`.',
    'mcp:read-only-annotated': 'Exactly the tools that only read are annotated as read-only.',
    'mcp:204-is-empty-object': 'Where REST answers 204 the tool answers `{}`.',
    'mcp:list-shape': 'A list answers `{ items, total, next: { offset } | null }`.',
    'mcp:max-bytes': '`maxBytes` bounds the text of an answer, 8192 by default and at most 1 MiB.',
    'mcp:whole-items-left-off':
      'What does not fit is left off in whole items from the end of `items` or of the longest list.',
    'mcp:truncated-is-told': 'A cut answer tells `truncated: true`, `leftOff` and `next`.',
    'mcp:list-agents-board': 'list_agents answers the board, bounded by `since` and `maxBytes`.',
    'mcp:text-equals-structured': 'Text and structuredContent are always the same JSON, the text compact.',
    'mcp:work-tools': 'The seven work tools are offered by their names.',
    'mcp:plan-tools': 'The fifteen plan tools are offered by their names.',
    'mcp:agent-tools': 'list_agents and get_agent are offered.',
    'mcp:repository-tools': 'The six repository tools are offered by their names.',
    'mcp:run-tools': 'The eight run and event-model tools are offered by their names.',
    'mcp:only-by-design':
      'Only the register and note tools, the await tools, failing_tests and flaky_tests have no REST route.',
    'mcp:run-status': 'run_status answers the REST detail of the run.',
    'mcp:failing-tests':
      'failing_tests groups the failed tests of a run by signature, with uid, file, line and message.',
    'mcp:failing-tests-no-verdict':
      'failing_tests of an ended run lists scenarios without a verdict under `no verdict`.',
    'mcp:flaky-tests': 'flaky_tests lists the tests that were retried, with runs, retried, lastRunId and reasons.',
    'mcp:export-run': 'export_run answers `{ format, text }`.',
    'mcp:export-run-too-large':
      'An export that does not fit answers `{ format, text: null, truncated: true, bytes, url }`, never cut text.',
    'mcp:run-id-left-out': 'Without `runId` the single live run is meant, else the newest.',
    'mcp:run-id-several-live-400': 'Without `runId` and with several live runs the answer is a 400 that lists them.',
    'await:timeout-default': 'An await tool waits 40 s unless `timeoutSeconds` says otherwise.',
    'await:timeout-at-most': '`timeoutSeconds` over 50 is a 400.',
    'await:run':
      'await_run answers when the run is finished or orphaned, or at the timeout, with run and waitedSeconds.',
    'await:dependencies': 'await_dependencies answers `ready` once all dependencies are done.',
    'await:dependencies-timeout': 'await_dependencies answers `timeout` with the refs that it still waits for.',
    'await:node-done': 'await_node answers `done` once the node is done.',
    'await:node-unclaimed':
      'await_node with `until: "unclaimed"` answers once no lease is live, its end by time included.',
    'mcp:short-descriptions': 'The description of a tool is one or two sentences.',
    'mcp:tools-list-size': 'tools/list stays under 24 KB.',
    'mcp:published-schemas':
      'Tool schemas are published without `$schema` and patterns, and dispatch still validates strictly.',
    'mcp:repository-scope':
      'A repository in the address scopes claim_next and next_ready_nodes unless the call names another.',
    'mcp:ref': 'Every tool that takes plan and node takes `ref` instead.',
    'mcp:slim-answers':
      'Claims answer with the work view, reports and releases with the brief one, unless asked for `full`.',
    'mcp:authoring-cost':
      'Writing a plan of 20 nodes by tools alone takes under 2,000 tokens of answers: create_plan and plan_status are brief.',
    'mcp:dry-run': 'create_plan with `dryRun` checks a document and writes nothing.',
    'mcp:faults-by-node':
      'Faults of shape, references and cycles of a document come at once, each with the id of its node.',
    'mcp:output-schemas': 'Tools have an outputSchema under /api/mcp?schemas=true and else none.',
    'mcp:completions': 'Arguments of prompts and resource templates are completed.',
    'mcp:resource-subscriptions':
      'A client of the newest protocol subscribes to plans and runs, and to the list of plans.',
    'mcp:await-progress': 'await_* wait 40 s, at most 50, and notify their progress every 10 s.',
    'mcp:prompts-and-resources': 'Prompts and resource templates can be typed in a client.',
    'node-status:one': 'GET /api/plans/{plan}/nodes/{node} answers the whole status view of one node.',
    'mcp:instructions': '`instructions` tell the work loop in under 400 characters.',
    'mcp:work-tools-only': '/api/mcp?tools=work offers the seven work tools alone in under 6 KB.',
  }),
  ...rules('contract 1, contract 12', {
    'lists:mcp-default-twenty': 'A list over MCP without `limit` answers 20 items.',
  }),
] as const;
