import { rules } from './rules.ts';

export const socket = [
  ...rules('contract-2 5', {
    'socket:registry':
      'A request on the socket names any command and is answered with the body of REST, or with the problem object as `error.data`.',
    'socket:lost-claim-is-a-result': 'A claim lost to another is a result on the socket.',
    'socket:json-rpc': 'What is no JSON-RPC 2.0 request is answered with an error, and the socket stays open.',
    'socket:many-under-way': 'Many calls are under way on one socket, and each is answered as soon as it is ready.',
    'socket:one-flush-one-frame':
      'Answers of one flush come in one frame; calls that came in one frame are written by one flush.',
    'socket:idempotency-key': 'An `idempotencyKey` among the parameters makes a call happen once, over REST too.',
    'socket:256-under-way': 'More than 256 calls under way on one socket are answered 429.',
    'socket:256-in-a-frame':
      'A frame of more than 256 requests of any kind is answered with one error, 429 without an id, and nothing of it is done.',
    'socket:256-in-a-turn': 'At most 256 requests of one socket are taken in one turn of the event loop.',
    'socket:frame-limit': 'A frame of more than 1 MiB closes the socket.',
    'socket:slow-reader': 'Whoever calls on a socket and never reads is cut off, and harms nobody.',
    'socket:subscribe': '`subscribe` gives the messages of the hub as notifications, resumed where asked for.',
    'socket:unsubscribe': '`unsubscribe` ends them.',
    'socket:token': 'The socket wants a token as REST does, and a revoked one ends it.',
    'socket:stop-answers': 'A service that stops answers what is under way, then closes the socket.',
    'client:call': 'The client calls every command by its name and throws a refusal with its problem object.',
    'client:keys': 'A call of the client whose answer was lost is sent again with its key and done once.',
    'client:resume': 'A client that lost its socket opens it again and misses no message, or hears a `reset`.',
    'client:rest-fallback': 'Where no socket can be opened the client calls over REST.',
    'client:abort': 'A call of the client ends when its signal is aborted.',
    'client:packed':
      'The client runs in a browser and on Node 22 and 24 from its packed form, which brings no dependency.',
    'client:size': 'The client is smaller than 10 KB, compressed.',
    'worker:takes-ready-nodes':
      'The worker takes ready nodes, so many at once, and gives each back when its function ends.',
    'worker:one-flush': 'A worker releases a node and takes the next one in one flush.',
    'worker:renews': 'The worker renews a lease before half of it is over.',
    'worker:lost-claim-aborts': 'A function whose claim is lost is told so by its signal, and nothing is released.',
    'worker:note-on-failure':
      'What a function throws is in `lastClaim.error`, and the note stays as it was, after a stop too.',
    'worker:idle-by-messages': 'An idle worker asks for nothing until a message says that something changed.',
    'worker:stops-in-order':
      'A worker that is stopped takes nothing more and gives back what it holds; SIGTERM stops it.',
    'socket:audit': 'Writes and denials on a socket stand in the audit.',
  }),
] as const;
