import { rules } from './rules.ts';

export const listening = [
  ...rules('interface §1, interface §8, contract 2', {
    'listen:default-ports': 'One process listens on 5526 for coordination and on 5525 for the run console by default.',
  }),
  ...rules('interface §1, contract 2', {
    'listen:port-variable': 'The `PORT` variable of the host overrides the coordination port.',
    'listen:host-variable': 'The `HOST` variable overrides the listening address.',
    'listen:option-has-no-effect': 'A command-line address option (`--port`, `--host`, `--urls`) changes no address.',
  }),
  ...rules('interface §1', {
    'listen:coordination-carries':
      'Port 5526 carries the web page, the plan, agent and memory API, the hub at /api/messages and MCP at /api/mcp.',
    'listen:console-carries': 'Port 5525 carries ingestion, the run list and detail, exports and the Event Model wire.',
    'standalone:runs-alone': 'The standalone console runs without coordination and serves the console port only.',
    'observe:in-memory-without-publisher-url':
      'Without `Service:PublisherUrl` coordination reads runs from the registry in its own process.',
  }),
  ...rules('interface §1, interface §5', {
    'standalone:no-mcp': 'The standalone console serves no MCP endpoint.',
  }),
  ...rules('contract 2', {
    'listen:both-loopback-families': 'By default the service answers on 127.0.0.1 and on ::1.',
    'listen:missing-family-skipped': 'A loopback family that the machine lacks is skipped with one line.',
    'listen:console-port-variable': '`CONSOLE_PORT` overrides the console port.',
    'listen:both-ports-at-once': '`PORT=8026,8025` sets the coordination port and the console port.',
    'listen:option-warning': 'An ignored address option is told in one warning line that names the variable to use.',
    'listen:busy-port': 'A busy port ends the process with exit code 1 and an error naming the port and the variable.',
    'listen:port-zero': 'With port 0 any free port is taken, the same one for both families, and printed.',
    'listen:one-process-per-data-path': 'A second process on the same data path refuses to start and names the first.',
    'listen:refusal-names-variable': 'A refusal to listen names the variable and its value.',
    'config:keys-ignore-case': 'A configuration key is found whatever its case.',
    'config:file-over-defaults': 'A key in `signalbox.json` in the working directory wins over the default.',
    'config:file-nested-or-colon': '`signalbox.json` takes nested objects and keys with a colon alike.',
    'config:environment-over-file': 'A key in the environment, two underscores for the colon, wins over the file.',
    'config:command-line-over-environment': 'A key on the command line wins over the environment.',
    'config:unknown-key-warning': 'An unknown `Service:` key is a warning with the nearest known name.',
    'config:data-path': '`Service:DataPath` holds database, archives and event models; the default is ~/.signalbox.',
    'config:store-sqlite-default': 'Without `Service:Store` the store is a SQLite file in the data path.',
    'config:store-postgres': 'A `postgres://` address in `Service:Store` makes that database the store.',
    'config:sessions-path': '`Service:SessionsPath` takes several Claude Code directories separated by commas.',
    'config:sessions-path-default': 'Sessions are read from `$CLAUDE_CONFIG_DIR`, else from ~/.claude.',
    'config:codex-path': 'Codex CLI sessions are read from `$CODEX_HOME`, else from ~/.codex.',
    'config:host-name-default': 'The host name is that of the system unless `Service:HostName` gives another.',
    'config:github-token-sources': 'The GitHub token comes from `Service:GitHubToken`, `GITHUB_TOKEN` or `GH_TOKEN`.',
    'config:github-url': '`Service:GitHubUrl` replaces the base address of the public GitHub API.',
    'config:npm-registry':
      'The npm feed is `Service:NpmRegistryUrl`, else the one in the npm configuration of the user.',
    'config:nuget-url': 'The NuGet feed is the service index at `Service:NuGetUrl`, else the public v3 one.',
    'config:observe-seconds': 'Bindings are observed every `Service:ObserveSeconds` seconds, 60 by default.',
    'config:orphan-seconds-warning': 'A `Service:OrphanSeconds` under 15 is a warning at start.',
    'config:bounds':
      'A number outside of its bounds ends the start with a line that names the key, the bounds and the value.',
    'config:zero-is-off': '0 turns a setting off where it may be 0, and is refused everywhere else.',
    'config:webhooks':
      'With `Service:Webhooks` set, events are sent to each of its receivers once, signed, from a queue on disk.',
    'config:github-report':
      'With `Service:GitHubReport` set, commit statuses of runs are written to GitHub; without it nothing is.',
    'config:notify': 'With `Service:Notify` set, notifications are sent to that webhook address.',
    'open:ping-and-health': 'GET /api/ping and GET /api/health answer on both ports without a token.',
    'open:health-shape': 'GET /api/health answers `{ status, version }`.',
    'open:docs-want-token':
      'GET /api/openapi.json, /api/docs and /metrics are served, and want the token like any other route.',
  }),
  ...rules('contract-3 6', {
    'listen:standalone-port':
      'The standalone console listens on `CONSOLE_PORT`, the second number of `PORT` or 5525, never on the first number.',
  }),
  ...rules('interface §4, contract 2', {
    'config:plans-path': 'The plan files of `Service:PlansPath` are imported in seed shape at start.',
  }),
] as const;
