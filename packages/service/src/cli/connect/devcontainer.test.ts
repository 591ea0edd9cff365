import { expect, test } from 'vitest';
import { CannotConnect } from './change.ts';
import { devcontainerChanges, observerInProject } from './devcontainer.ts';

const url = 'http://127.0.0.1:5526';
const path = '.devcontainer/devcontainer.json';

const texts = {
  plain: '{\n  "image": "node:22"\n}\n',
  'with comments': '{\n  // our image\n  "image": "node:22", // pinned\n  "remoteEnv": { "A": "1" },\n}\n',
  'on one line': '{"image":"node:22","runArgs":["--init"]}',
  'with commands': '{\n\t"postStartCommand": {\n\t\t"mine": "npm ci"\n\t}\n}\n',
};

function project(files: Record<string, string>) {
  const read = (file: string) => files[file] ?? null;
  const apply = (remove: boolean) => {
    for (const { path: file, after } of devcontainerChanges(read, { url, remove })) {
      if (after === null) delete files[file];
      else files[file] = after;
    }
    return files;
  };
  return { connect: () => apply(false), disconnect: () => apply(true) };
}

test('a devcontainer starts an observer that reaches the service on its host; removal restores the file byte for byte', () => {
  for (const [name, text] of Object.entries(texts)) {
    const { connect, disconnect } = project({ [path]: text });
    const connected = { ...connect() };
    expect(connected[path], name).toContain('--to http://host.docker.internal:5526');
    expect(connected[path], name).toContain('--add-host=host.docker.internal:host-gateway');
    expect(connected[observerInProject], name).toMatch(/^\/\/ Signalbox observer/);
    expect(connect(), name).toEqual(connected);
    expect(disconnect(), name).toEqual({ [path]: text });
  }
});

test('a start command of another kind is left alone, with instructions what to do', () => {
  const { connect } = project({ [path]: '{ "postStartCommand": "npm ci" }' });
  expect(connect).toThrow(/"postStartCommand" in .* is not an object/);
});

test('without a devcontainer.json the lines for an image are shown, and nothing is written', () => {
  const { connect } = project({});
  expect(connect).toThrow(CannotConnect);
  expect(connect).toThrow(/COPY signalbox-observe.mjs/);
});

test('a file of that name that somebody else wrote is not replaced', () => {
  const { connect } = project({ [path]: '{}', [observerInProject]: 'mine' });
  expect(connect).toThrow(/was not written by Signalbox/);
});
