import { rules } from './rules.ts';

export const access = [
  ...rules('contract-2 2', {
    'token:operator-16-characters': 'A `Service:Token` of fewer than 16 characters refuses to start and says why.',
    'token:created-once':
      'POST /api/tokens makes a named token and answers 201 with its secret, which nothing tells again.',
    'token:kept-hashed': 'No store, log, archive or audit holds the secret of a named token.',
    'token:listed': 'GET /api/tokens names every token with its scopes, its maker and its end.',
    'token:lines-cut':
      'DELETE /api/tokens/{name} cuts the lines to /api/messages that were opened with it, within 15 s.',
    'token:revoked': 'DELETE /api/tokens/{name} ends the token and the logins made with it at once.',
    'token:expires': 'A named token is refused once its time is over.',
    'token:known-to-all-hosts': 'A token made or revoked through one host counts on all hosts of the store.',
    'token:revoked-within-a-second':
      'Revoking a token cuts its sockets, streams, hub and MCP connections within a second.',
    'token:for-one-run':
      '`signalbox run` gives its tests a token that publishes to that run alone, under the name of its own token.',
    'scope:matrix':
      'Every command of both ports, over REST, MCP and the socket, is allowed by its scope or answers 403 `scope_required`.',
    'scope:contained': 'The scope author contains work, work contains read, and admin contains all.',
    'scope:tools-listed': 'A token sees only the tools that it may call.',
    'scope:in-openapi': 'The reference names the scopes of every call in its security.',
    'label:defaults-to-name': 'With a named token `agent` and `by` are its name unless said.',
    'label:not-yours-403':
      'A label that is neither the name of the token nor begins with it and a slash answers 403 `name_not_yours`.',
    'sign-off:signer-required': 'A sign-off without `by` and without a named token answers 400 `signer_required`.',
    'sign-off:no-own-work':
      'Whoever holds or last held a node cannot sign it off, under any label that its token or session used.',
    'token:guesses-slowed': 'Wrong bearer tokens are slowed by address and by token, as failed logins are.',
    'token:right-one-let-in': 'The right token is never locked out by wrong ones.',
    'login:server-side': 'A login is kept by the service for 30 days and ends by logout, by revoking and all at once.',
    'login:cookie-under-tls': 'Under TLS the login cookie is `Secure` and begins with `__Host-`.',
    'tls:both-ports': 'With `Service:TlsCert` and `Service:TlsKey` both ports, the hub and MCP speak TLS.',
    'tls:read-again': 'A changed certificate is taken up without a restart.',
    'audit:every-write-and-denial':
      'The audit holds time, name, address, door, command, ref and outcome of every write and every denial, never a body.',
    'audit:read': 'GET /api/audit answers the audit to admins, by name, command and denial, page by page.',
    'audit:folded':
      'Repeated denials of one name and command within a minute are one entry with a count, readable at once.',
    'audit:refs': 'Refs in the audit are escaped and cut at 256 characters.',
    'audit:chained': 'Each line of the audit carries a hash over the one before, by which changes are found.',
    'audit:gap': 'What the audit had to drop because of its size is warned of and written down in it.',
    'audit:rotated': 'The audit is put aside by size and kept for `Service:AuditDays`.',
    'audit:together': 'The lines of the audit of one turn are written together, before any of its calls is answered.',
    'audit:survives-kill': 'SIGKILL loses no line of the audit whose call was answered.',
    'audit:command-line': '`signalbox audit` shows the audit as a table.',
    'token:command-line': '`signalbox tokens` makes, lists and revokes tokens.',
    'mcp:untrusted': 'Answers of tools name in `untrusted` the members that others wrote.',
    'config:no-security-in-working-directory':
      'A security setting in the working directory ends the start with the line to move it to.',
    'config:user-file': 'Settings in `~/.signalbox/signalbox.json` are taken, the security settings included.',
  }),
] as const;
