import { consoleCommands } from '../../packages/service/src/console/registry.ts';
import { coordinationCommands } from '../../packages/service/src/coordination/registry.ts';
import type { Exercised } from '../exercised.ts';

/** One interface that the sentence of a requirement names, and whether a test used it. */
export type Door = { name: string; isReached: (by: Exercised) => boolean };

const commands = [...coordinationCommands, ...consoleCommands] as readonly {
  name: string;
  rest?: { method: string; path: string };
}[];

/** The routes, commands, settings and CLI words that a sentence names. */
export function doorsIn(sentence: string): Door[] {
  const routes = [...sentence.matchAll(/(?:\b(GET|POST|PUT|DELETE) )?(?<!\w)(\/(?:api|metrics)[\w{}/-]*(?:\.json)?)/g)];
  const words = [...sentence.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([word]) => word);
  const settings = [...sentence.matchAll(/Service:(\w+)/g)];
  const programs = [...sentence.matchAll(/`signalbox ([a-z-]+)/g)];
  return [
    ...routes.map(([name, method, path = '']) => ({ name, isReached: reachedRoute(method, path) })),
    ...commands.filter(({ name }) => words.includes(name)).map(commandDoor),
    ...settings.map(([name, key = '']) => ({ name, isReached: reachedSetting(key.toLowerCase(), sentence) })),
    ...programs.map(([name, word = '']) => ({ name, isReached: ({ words: run }: Exercised) => run.has(word) })),
  ];
}

function reachedRoute(method: string | undefined, path: string): Door['isReached'] {
  const shape = path.replace(/\{\w+\}/g, '[^/]+').replace(/[./]/g, '\\$&');
  const pattern = new RegExp(`^${method ?? '[A-Z]+'} ${shape}/?$`);
  // A tool counts the same as its command's route.
  const twins = commands.filter(({ rest }) => rest && pattern.test(`${rest.method} ${rest.path}`));
  return ({ requests, tools }) =>
    twins.some(({ name }) => tools.has(name)) || [...requests].some((request) => pattern.test(request));
}

function commandDoor({ name, rest }: (typeof commands)[number]): Door {
  const byRoute = rest ? reachedRoute(rest.method, rest.path) : () => false;
  return { name, isReached: (by) => by.tools.has(name) || byRoute(by) };
}

/** A rule about a missing setting is tested by leaving it out. */
function reachedSetting(key: string, sentence: string): Door['isReached'] {
  const isAboutDefault = /\b(without|default|unless|else)\b/i.test(sentence);
  return ({ settings, configured }) => settings.has(key) || (isAboutDefault && configured);
}
