import { parseArgs } from 'node:util';
import { version } from '../app/version.ts';
import { runObserver } from './run-observer.ts';

const usage = `node signalbox-observe.mjs --to URL [--name NAME] [--enter COMMAND] [--token-file FILE]

Sends what agent sessions do on this machine to a Signalbox service: states, folders, branches, and
which lines of which files they change, never contents. It writes nothing under the directories of agents or repositories.

  --to URL           address of the service, for example http://host.docker.internal:5526
  --name NAME        name of this machine on the board; the host name if left out
  --enter COMMAND    the command that a person types to reach this machine, such as "docker exec -it NAME" or "ssh HOST"
  --token-file FILE  a token with the observe scope; otherwise it is read from SIGNALBOX_TOKEN
`;

const { values } = parseArgs({
  options: {
    to: { type: 'string' },
    name: { type: 'string' },
    enter: { type: 'string' },
    'token-file': { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help || values.to === undefined) {
  (values.help ? process.stdout : process.stderr).write(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  const { to, name, enter, 'token-file': tokenFile } = values;
  process.exitCode = await runObserver({ to, name, enter, tokenFile }, process.env, version);
}
