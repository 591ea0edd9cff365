import { rules } from './rules.ts';

export const remoteConsole = [
  ...rules('interface §1, contract 8', {
    'remote:runs-over-the-wire': 'With `Service:PublisherUrl` set 5526 serves the runs of that console.',
  }),
  ...rules('contract 8', {
    'remote:event-model': 'With `Service:PublisherUrl` set 5526 serves event model and coverage of that console.',
    'remote:await-run': 'With `Service:PublisherUrl` set await_run waits for runs of that console.',
    'remote:proves-nodes': 'With `Service:PublisherUrl` set runs of that console prove nodes.',
    'remote:polled': 'The list of the remote console is polled every 2 s and its live runs by detail.',
    'remote:hub': 'The hub sends `run_changed`, `run_ejected` and `event_model_changed` from the remote console.',
    'remote:local-console-works-on': 'The local console goes on working on its own port.',
    'remote:away-lists-last-known': 'While the remote console is away lists answer the last known with `Age`.',
    'remote:away-detail-503': 'While the remote console is away detail and export answer 503 `host_unavailable`.',
    'remote:away-evidence-stays': 'While the remote console is away evidence keeps its last observation.',
  }),
  ...rules('contract 2', {
    'remote:token': '`Service:PublisherToken` is sent to the remote console as its bearer token.',
  }),
] as const;
