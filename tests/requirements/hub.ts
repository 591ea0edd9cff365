import { rules } from './rules.ts';

export const hub = [
  ...rules('interface §4, contract 11', {
    'hub:on-coordination': 'The hub is at /api/messages on the coordination port.',
  }),
  ...rules('contract 11', {
    'hub:three-ways-same-messages':
      'Server-sent events, WebSocket and SignalR get the same messages in the same order.',
    'hub:sse': 'A GET with `Accept: text/event-stream` gets server-sent events.',
    'hub:sse-resume': 'A stream resumes after `Last-Event-ID` or `?after=` without a loss or a repeat.',
    'hub:gap-reset': 'A gap too old to resume is announced by a `reset` message.',
    'hub:unknown-id-reset': 'An unknown id to resume from is announced by a `reset` message.',
    'hub:websocket': 'A WebSocket gets one JSON message a frame.',
    'hub:websocket-resume': 'A WebSocket with `?after=` resumes after that message.',
    'hub:signalr': 'The stock SignalR client gets each message through `ReceiveMessage` as a JSON string.',
    'hub:signalr-starts-with-reset': 'A new SignalR connection starts with `reset`.',
    'hub:cloud-events': 'Every message is a CloudEvents 1.0 JSON object.',
    'hub:id-grows': 'The id of a message is a growing decimal sequence.',
    'hub:source': 'The source of a message is `/signalbox/<host>`.',
    'hub:subject':
      'The subject of a message is the ref, slug, runId or model name, and absent where there is no one thing.',
    'hub:plan-changed': '`plan_changed` tells slug, version and the nodes that changed in status or readiness.',
    'hub:plan-changed-by-evidence': '`plan_changed` is sent when evidence changes the status of a node.',
    'hub:plan-changed-across-plans':
      '`plan_changed` is sent for every other plan whose nodes changed in status or readiness.',
    'hub:claim-changed': '`claim_changed` tells plan, node and claim on claim, report and release.',
    'hub:claim-changed-by-health': '`claim_changed` is sent when the health of a claim changes.',
    'hub:claim-changed-at-lease-end': '`claim_changed` with `claim: null` is sent within 2 s of the end of a lease.',
    'hub:agents-changed': '`agents_changed` names the sessions and trees that changed.',
    'hub:repository-changed': '`repository_changed` names owner and name.',
    'hub:run-changed': '`run_changed` carries the run summary.',
    'hub:run-events': '`run_events` carries the events of a run as ingested.',
    'hub:run-events-batched': '`run_events` is sent at most every 100 ms.',
    'hub:run-ejected': '`run_ejected` names the runs that were ejected.',
    'hub:event-model-changed': '`event_model_changed` names the model.',
    'hub:narrow-by-types': 'A subscription with `types` gets only messages of those types.',
    'hub:narrow-by-plan': 'A subscription with `plan` gets only messages about that plan.',
    'hub:narrow-by-run': 'A subscription with `runId` gets only messages about that run.',
    'hub:slow-reader-cut-off': 'A slow reader is cut off and on coming back resumes or gets a `reset`.',
    'hub:slow-reader-harms-nobody': 'A slow reader never slows the others or grows memory without bound.',
    'hub:access-token': 'Where a token is needed WebSocket and SignalR take it as `access_token` in the query.',
    'hub:none-standalone': 'The standalone console has no hub.',
    'standalone:web-polls': 'The web of the standalone console stays current by polling.',
  }),
] as const;
