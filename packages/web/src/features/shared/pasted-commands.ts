import { mcpPath } from 'signalbox/browser/service-paths';
import type { Me } from '../../live/wire.ts';
import { useMe } from './me.ts';

const isLoopback = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);

const defaultConsole = /^http:\/\/(localhost|127\.0\.0\.1):5525$/;
const defaultService = /^http:\/\/(localhost|127\.0\.0\.1):5526$/;

const urlOption = (url: string, usual: RegExp): string => (usual.test(url) ? '' : ` --url ${url}`);

/**
 * Commands that can be pasted as they are: with this installation's command on its own machine, with the installed name
 * elsewhere, and with the address of this service if it is not the default.
 */
export function commandsFor(me: Me | undefined, { origin, hostname }: Pick<Location, 'origin' | 'hostname'>) {
  const cli = me && isLoopback(hostname) ? me.cli : 'signalbox';
  const toConsole = urlOption(me?.consoleUrl ?? 'http://localhost:5525', defaultConsole);
  const toService = urlOption(origin, defaultService);
  const bearer = me?.tokenAsked ? ' --header "Authorization: Bearer $SIGNALBOX_TOKEN"' : '';
  return {
    run: `${cli} run${toConsole} -- npm test`,
    connect: `${cli} connect${toService}`,
    connectTests: `${cli} connect --tests`,
    pushModel: `${cli} event-model push${toConsole} model.yaml`,
    createToken: `${cli} tokens create NAME --scope work --expires 90d${toService}`,
    demo: `${cli} demo`,
    mcp: `claude mcp add --transport http${bearer} signalbox ${origin}${mcpPath}`,
  };
}

export const useCommands = () => commandsFor(useMe(), location);
