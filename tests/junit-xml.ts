import { spawnSync } from 'node:child_process';
import { SaxesParser } from 'saxes';

export type Element = { name: string; attributes: Record<string, string>; children: Element[]; text: string };

/** Parses strictly, and also with xmllint if it is installed. */
export function parseXml(text: string): Element {
  const lint = spawnSync('xmllint', ['--noout', '--huge', '-'], { input: text });
  if (lint.error === undefined && lint.status !== 0) throw new Error(`xmllint: ${lint.stderr}`);
  const top: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes: attributes as Record<string, string>, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (part) => {
    const element = open.at(-1);
    if (element) element.text += part;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  return top.children[0] ?? top;
}

const problems = ['failure', 'error', 'rerunFailure', 'flakyFailure'];
const allowed: Record<string, { attributes: string[]; required: string[]; children: string[] }> = {
  testsuites: { attributes: ['name', 'time', 'tests', 'failures', 'errors'], required: [], children: ['testsuite'] },
  testsuite: {
    attributes: ['name', 'tests', 'failures', 'errors', 'skipped', 'time', 'timestamp', 'hostname', 'id', 'package'],
    required: ['name', 'tests', 'failures', 'errors'],
    children: ['testcase', 'properties', 'system-out', 'system-err'],
  },
  testcase: {
    attributes: ['name', 'classname', 'time', 'group'],
    required: ['name'],
    children: [...problems, 'skipped', 'system-out', 'system-err'],
  },
  skipped: { attributes: ['message', 'type'], required: [], children: [] },
  'system-out': { attributes: [], required: [], children: [] },
  ...Object.fromEntries(
    problems.map((name) => [
      name,
      { attributes: ['message', 'type'], required: name.endsWith('Failure') ? ['type'] : [], children: [] },
    ]),
  ),
};

/** The objections of the strictest common reader of JUnit files, by its published rules. */
export function junitFaults(element: Element): string[] {
  const rule = allowed[element.name];
  if (!rule) return [`<${element.name}> is not known`];
  const { attributes } = element;
  return [
    ...Object.keys(attributes)
      .filter((name) => !rule.attributes.includes(name))
      .map((name) => `${element.name}@${name}`),
    ...rule.required.filter((name) => attributes[name] === undefined).map((name) => `${element.name} lacks ${name}`),
    ...element.children
      .filter(({ name }) => !rule.children.includes(name))
      .map(({ name }) => `${element.name}/${name}`),
    ...(attributes.time !== undefined && !/^\d+\.\d{3}$/.test(attributes.time) ? [`time ${attributes.time}`] : []),
    ...element.children.flatMap(junitFaults),
  ];
}

export const all = (element: Element, name: string): Element[] => [
  ...(element.name === name ? [element] : []),
  ...element.children.flatMap((child) => all(child, name)),
];
