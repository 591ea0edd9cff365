import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../files/package-folder.ts';
import { CannotConnect, type FileChange } from './change.ts';
import { type Ours, withOurs, withoutOurs } from './json-edit.ts';
import type { Read } from './plan-changes.ts';

const configurations = ['.devcontainer/devcontainer.json', '.devcontainer.json'];
export const observerInProject = '.devcontainer/signalbox-observe.mjs';
const firstLine = '// Signalbox observer, written by "signalbox connect --devcontainer".\n';

/** The name by which a container reaches the machine it runs on. */
const hostOfContainer = 'host.docker.internal';

/** The built one-file observer; a program that runs from its sources finds it in `dist`. */
export const observerFile = (): string =>
  join(packageFolder, packageFolder.endsWith('src') ? '../dist' : '.', 'observer/signalbox-observe.mjs');

/** The parts of an observer in a devcontainer: the file itself, and the lines that start it with the container. */
export function devcontainerChanges(read: Read, { url, remove }: { url: string; remove: boolean }): FileChange[] {
  const path = configurations.find((file) => read(file) !== null);
  const change = (file: string, after: string | null): FileChange[] => {
    const before = read(file);
    return after === before ? [] : [{ path: file, before, after }];
  };
  const observer = read(observerInProject);
  if (observer !== null && !observer.startsWith(firstLine))
    throw new CannotConnect(`${observerInProject} was not written by Signalbox. Move it away; nothing was written.`);
  const text = path === undefined ? null : read(path);
  if (remove) {
    const without = path === undefined || text === null ? null : withoutOurs(path, text, oursFor(url));
    return [...change(observerInProject, null), ...(path === undefined ? [] : change(path, without))];
  }
  if (path === undefined || text === null) throw new CannotConnect(imageLines(url));
  return [
    ...change(observerInProject, firstLine + readFileSync(observerFile(), 'utf8')),
    ...change(path, withOurs(path, text, oursFor(url))),
  ];
}

function oursFor(url: string): Ours[] {
  const start = [
    `nohup node \${containerWorkspaceFolder}/${observerInProject}`,
    `--to ${addressFromContainer(url)}`,
    `--name \${localWorkspaceFolderBasename}-dev`,
    `--enter 'devcontainer exec --workspace-folder \${localWorkspaceFolder}'`,
    '> /tmp/signalbox-observe.log 2>&1 &',
  ].join(' ');
  return [
    { path: ['postStartCommand'], key: 'signalbox', value: start, isOurs: namesObserver },
    {
      path: ['remoteEnv'],
      key: 'SIGNALBOX_TOKEN',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: devcontainers fill it in
      value: '${localEnv:SIGNALBOX_OBSERVE_TOKEN}',
      isOurs: (value) => typeof value === 'string' && value.includes('SIGNALBOX_OBSERVE_TOKEN'),
    },
    {
      path: ['runArgs'],
      value: `--add-host=${hostOfContainer}:host-gateway`,
      isOurs: (value) => typeof value === 'string' && value === `--add-host=${hostOfContainer}:host-gateway`,
    },
  ];
}

const namesObserver = (value: unknown): boolean => typeof value === 'string' && value.includes('signalbox-observe');

/** Inside the container, a service on this machine has another host name. */
function addressFromContainer(url: string): string {
  const address = new URL(url);
  const isHere = /^(localhost|127\.[\d.]+|\[::1\])$/.test(address.hostname);
  if (isHere) address.hostname = hostOfContainer;
  return address.origin;
}

const imageLines = (url: string): string =>
  `This project has no devcontainer.json. For an image, copy the observer into it and start it beside the agent:

  cp ${observerFile()} .
  COPY signalbox-observe.mjs /usr/local/lib/
  CMD node /usr/local/lib/signalbox-observe.mjs --to ${addressFromContainer(url)} & exec your-agent

Nothing was written.`;
