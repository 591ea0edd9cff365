import { rules } from './rules.ts';

export const safety = [
  ...rules('contract 2, contract 13', {
    'token:required-beyond-loopback':
      'Listening beyond loopback without `Service:Token` refuses to start and says why.',
    'token:every-route': 'With a token set every API route but ping and health wants `Authorization: Bearer`.',
  }),
  ...rules('contract 2', {
    'token:open-ingest':
      'With `Service:OpenIngest` ingest and the Event Model GET and PUT need no token, and nothing else is open.',
  }),
  ...rules('contract 1, contract 13', {
    'token:missing-401': 'A call without the token answers 401 `token_required`.',
    'token:wrong-401': 'A call with a wrong token answers 401 `token_invalid`.',
    'host:not-allowed-403': 'While no token is set a foreign `Host` answers 403 `host_not_allowed`.',
    'origin:not-allowed-403': 'A foreign `Origin` answers 403 `origin_not_allowed`, token or not.',
    'limits:too-large-413': 'A body over its limit answers 413 `body_too_large` at once.',
  }),
  ...rules('contract 1', {
    'login:throttled-429': 'Repeated failed logins answer 429 `too_many_requests`.',
  }),
  ...rules('contract 13', {
    'login:cookie':
      'POST /api/login with the token answers 204 and an HttpOnly SameSite=Strict cookie that lets the web in.',
    'login:wrong-401': 'POST /api/login with a wrong token answers 401 `token_invalid`.',
    'login:logout': 'POST /api/logout ends the login.',
    'login:web-asks-once': 'The web asks for the token once and then works by its cookie.',
    'login:static-files-open': 'The static files of the web need no token.',
    'host:allowed': 'A loopback name, the configured host and `AllowedHosts` are accepted as `Host`.',
    'origin:own-ports': 'An `Origin` of this service, either port, is accepted.',
    'origin:allowed': 'An `Origin` in `AllowedOrigins` is accepted.',
    'origin:other-localhost-port': 'Another port of localhost is a foreign origin.',
    'origin:checked-everywhere': 'Host and Origin are checked on every route of both ports, the hub and MCP included.',
    'origin:no-cors-wildcard': 'No answer carries a CORS wildcard.',
    'limits:commands': 'A command body, POST /api/plans included, takes at most 1 MiB.',
    'limits:mcp': 'A body to /api/mcp takes at most 8 MiB.',
    'limits:import-model-ingest': 'Plan import, event model and ingest take bodies of at most 8 MiB.',
    'limits:json-depth': 'JSON deeper than 64 levels is refused.',
    'limits:batch-does-not-hold-up-ping': 'One batch at the limit does not hold up a ping.',
    'pages:content-security-policy':
      'Every page and document carries a policy without inline script and without other origins.',
    'pages:nosniff': 'Every page and document carries `X-Content-Type-Options: nosniff`.',
    'pages:no-framing': 'No page or document may be framed.',
    'disk:names-validated': 'A run id or source that reaches the disk is validated by pattern.',
    'disk:no-symlink-out': 'Nothing follows a symlink out of its directory.',
    'stop:sigterm': 'SIGTERM stops accepting, finishes what is in flight, flushes and exits 0 within 10 s.',
    'stop:sigkill-loses-nothing': 'SIGKILL at any moment loses nothing that was answered.',
  }),
] as const;
