import { rules } from './rules.ts';

export const licence = [
  ...rules('interface §5, contract 6', {
    'licence:reads-not-gated': 'By default reads, the roster and authoring work without a licence.',
    'licence:gate-record':
      'With the gate `record` every MCP tool call and every mutating coordination endpoint is gated too.',
    'licence:gate-off': 'With the gate `off` nothing is gated.',
  }),
  ...rules('contract 6', {
    'licence:jws-verified-offline': 'A licence is a compact EdDSA JWS that is verified without any network.',
    'licence:missing-code': 'No licence answers `licence_required`.',
    'licence:invalid-code': 'A licence that does not verify answers `licence_invalid`.',
    'licence:expired-code': 'A licence past its `exp` answers `licence_expired`.',
    'licence:without-exp-never-expires': 'A licence without `exp` does not expire.',
    'licence:value-or-path': '`Service:Licence` holds the licence or a path to it.',
    'licence:community-by-default':
      'Without `Service:Licence` the community licence that ships with the product serves.',
    'licence:none-means-none': '`Service:Licence=none` means no licence.',
    'licence:public-key': '`Service:LicencePublicKey` is a JWK or a path to one and verifies licences of its issuer.',
    'licence:gate-default-work-loop':
      'The default gate covers the work loop with its MCP tools, claim_next, await_dependencies and await_node included.',
    'licence:login-never-gated': 'Login and logout are never gated.',
    'licence:hooks-never-gated': 'The hooks and the webhook are never gated.',
    'licence:mcp-listing-never-gated': 'MCP `initialize` and `tools/list` are never gated.',
    'licence:console-never-gated': 'Nothing of the console and its REST relays is ever gated.',
    'licence:envelope': 'The 402 envelope is the problem object plus `licence: { state, edition, expiresAt }`.',
    'licence:state-endpoint': 'GET /api/licence tells the state of the licence.',
    'licence:keygen': '`signalbox licence keygen --out DIR` writes a key pair there.',
    'licence:issue':
      '`signalbox licence issue` prints a licence for sub and edition on standard output, with an end where `--days` is given.',
    'licence:show': '`signalbox licence show` tells the licence in force.',
    'licence:private-key-nowhere': 'The private key of the community licence is not in the repository.',
  }),
  ...rules('interface §5, interface §7, contract 6', {
    'licence:work-loop-gated': 'Ready work, claim, report and release answer 402 without a licence.',
    'licence:same-envelope': 'The 402 envelope is the same object in REST and MCP.',
  }),
] as const;
