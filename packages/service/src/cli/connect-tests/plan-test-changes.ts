import { findNodeAtLocation, modify, parseTree } from 'jsonc-parser';
import { CannotConnect, type FileChange } from '../connect/change.ts';
import type { Read } from '../connect/plan-changes.ts';
import { frameworkEdits } from './framework-edits.ts';
import { type Framework, type FrameworkName, frameworks, publisherPath, typesPath } from './frameworks.ts';
import { type ConnectRecord, readRecord, recordOf, recordPath, recordText, withoutOurs } from './record.ts';
import { usesNodeTest } from './script-edit.ts';
import { memberOf, nameOf, parseSource, type SourceTree } from './source-tree.ts';
import { applyEdits, indentUnitOf, lineEndOf, type TextEdit } from './text-edit.ts';

export type PublisherFile = { code: string; types: string };
export type TestPlan = {
  changes: FileChange[];
  /** Each framework and the file that names its reporters. */
  connected: { name: FrameworkName; path: string }[];
  notes: string[];
};

const packageFile = 'package.json';

/** `root` is the root of a monorepo; a `package` of one is `up` from it and uses the publisher there. */
export type PlaceOfProject = { kind: 'alone' } | { kind: 'root' } | { kind: 'package'; up: string };

/** Everything that would change in the project; nothing is written. */
export function planTestChanges(
  read: Read,
  publisher: PublisherFile,
  remove: boolean,
  place: PlaceOfProject = { kind: 'alone' },
): TestPlan {
  const record = readRecord(read(recordPath));
  const before = new Map(Object.entries(record.files).map(([path, file]) => [path, formerText(read, path, file)]));
  const former: Read = (path) => (before.has(path) ? (before.get(path) ?? null) : read(path));
  const plan = remove
    ? { texts: new Map<string, string | null>(), files: {}, connected: [], notes: [] }
    : planOf(former, place);
  const texts = new Map([...before, ...plan.texts]);
  const own: FileChange[] = [
    {
      path: publisherPath,
      before: read(publisherPath),
      after: remove ? null : place.kind === 'package' ? passedOn(place.up, publisherPath) : publisher.code,
      summary: place.kind === 'package' ? 're-exports the publisher of the root' : summaryOf(publisher),
    },
    {
      path: typesPath,
      before: read(typesPath),
      after: remove ? null : place.kind === 'package' ? passedOn(place.up, publisherPath) : publisher.types,
      summary: 'its types',
    },
    {
      path: recordPath,
      before: read(recordPath),
      after: remove ? null : recordText(plan.files),
      summary: 'needed by --remove',
    },
  ];
  const changes = [...texts].map(([path, after]): FileChange => ({ path, before: read(path), after }));
  return { ...plan, changes: [...changes, ...own].filter((change) => change.before !== change.after) };
}

const passedOn = (up: string, path: string): string =>
  `export * from '../${up}/${path}';\nexport { default } from '../${up}/${path}';\n`;

const summaryOf = ({ code }: PublisherFile) =>
  `the publisher for all frameworks in one file, ${Math.round(code.length / 1024)} KB, no dependencies`;

function formerText(read: Read, path: string, file: ConnectRecord['files'][string]): string | null {
  const text = read(path);
  return text === null ? null : withoutOurs(path, text, file);
}

type Planned = { texts: Map<string, string | null>; files: ConnectRecord['files'] } & Omit<TestPlan, 'changes'>;

function planOf(read: Read, { kind }: PlaceOfProject): Planned {
  const manifest = read(packageFile);
  const json = manifest === null ? null : parseSource(packageFile, manifest);
  const edits = new Map<string, TextEdit[]>();
  const planned: Planned = { texts: new Map(), files: {}, connected: [], notes: json ? scriptNotes(json) : [] };
  const add = (name: FrameworkName, path: string, more: readonly TextEdit[]) => {
    edits.set(path, [...(edits.get(path) ?? []), ...more]);
    planned.connected.push({ name, path });
  };
  const turbo = kind === 'root' ? read(turboFile) : null;
  const passed = turbo === null ? [] : turboEdits(turbo);
  if (passed.length > 0) edits.set(turboFile, passed);
  const used = frameworks.filter(
    (each) =>
      // Frameworks installed at the root are meant for its packages; the root runs tests itself only if it is configured to.
      (isUsed(each, read, json) || (kind === 'package' && isInScript(each, json))) &&
      (kind !== 'root' || configFile({ ...each, fresh: each.fresh ?? unmade }, read, json) !== null),
  );
  const tooOld = used.filter((each) => isTooOld(each, json));
  planned.notes.push(...tooOld.map(leftOut));
  for (const framework of used.filter((each) => !tooOld.includes(each))) {
    const path = configFile(framework, read, json);
    const text = path === null ? null : read(path);
    const note = (line: string) => planned.notes.push(line);
    if (path !== null && text !== null) add(framework.name, path, frameworkEdits(framework, path, text, note));
    else if (framework.fresh) {
      planned.texts.set(framework.fresh.path, framework.fresh.text);
      planned.files[framework.fresh.path] = recordOf(null, framework.fresh.text, []);
      planned.connected.push({ name: framework.name, path: framework.fresh.path });
    }
  }
  if (json && manifest !== null && usesNodeTest(json))
    add(
      'node:test',
      packageFile,
      frameworkEdits({ name: 'node:test' }, packageFile, manifest, () => undefined),
    );
  for (const [path, list] of edits) {
    const text = read(path) ?? '';
    const after = applyEdits(text, list);
    planned.texts.set(path, after);
    planned.files[path] = recordOf(text, after, list);
  }
  if (kind === 'root') return planned;
  if (planned.connected.length === 0 && tooOld.length > 0)
    throw new CannotConnect(`${tooOld.map(leftOut).join('\n')} Nothing was written.`);
  if (planned.connected.length === 0) throw nothingFound();
  return planned;
}

const nothingFound = () =>
  new CannotConnect(
    `No test framework found. Expected ${frameworks.map(({ name }) => name).join(', ')} in package.json or in a configuration file, or a script that runs "node --test".
In a monorepo, choose the package: --dir packages/app. For any other test tool: signalbox run -- <test command>.`,
  );

const unmade = { path: '', text: '' };

/** A package of a monorepo may use the framework installed at the root. */
function isInScript({ uses }: Framework, json: SourceTree | null): boolean {
  const scripts = json && memberOf(json.config, 'scripts')?.value;
  if (scripts?.type !== 'ObjectExpression') return false;
  const program = uses.replace('@playwright/test', 'playwright').replace('@cucumber/cucumber', 'cucumber-js');
  return scripts.properties.some(
    (property) =>
      property.type === 'Property' &&
      property.value.type === 'Literal' &&
      String(property.value.value)
        .split(/[\s&|;]+/)
        .includes(program),
  );
}

const leftOut = ({ name, since }: Framework) => `${name} before version ${since?.major} is skipped: ${since?.instead}`;

/** The version range in package.json, by package name. */
const rangesOf = ({ uses }: Framework, json: SourceTree | null) =>
  ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((key) => {
    const list = json && memberOf(json.config, key)?.value;
    const range = list?.type === 'ObjectExpression' ? memberOf(list, uses)?.value : null;
    return range ? [range.type === 'Literal' ? String(range.value) : ''] : [];
  });

/** Decided by the range in package.json, if it means one version or versions compatible with one. */
function isTooOld(framework: Framework, json: SourceTree | null): boolean {
  const { major = 0 } = framework.since ?? {};
  const majors = rangesOf(framework, json).map((range) => /^[~^=v]?(\d{1,5})(?:\.|$)/.exec(range)?.[1]);
  return majors.some((found) => found !== undefined && Number(found) < major);
}

function isUsed(framework: Framework, read: Read, json: SourceTree | null): boolean {
  const { files, packageKey } = framework;
  const named = rangesOf(framework, json).length > 0;
  const configured = packageKey !== undefined && json !== null && memberOf(json.config, packageKey) !== null;
  // A Vite configuration alone does not mean there are tests.
  return named || configured || files.some((path) => !path.startsWith('vite.') && read(path) !== null);
}

/** Null if a file has to be created. */
function configFile({ files, packageKey, fresh }: Framework, read: Read, json: SourceTree | null): string | null {
  const inPackage = packageKey !== undefined && json !== null && memberOf(json.config, packageKey) !== null;
  const found = files.find((path) => read(path) !== null);
  if (found !== undefined) return found;
  return inPackage || (fresh === null && json) ? packageFile : null;
}

/** A reporter named in a script overrides the configuration. */
function scriptNotes(json: SourceTree): string[] {
  const scripts = memberOf(json.config, 'scripts')?.value;
  if (scripts?.type !== 'ObjectExpression') return [];
  return scripts.properties.flatMap((property) => {
    if (property.type !== 'Property' || property.value.type !== 'Literal') return [];
    const text = String(property.value.value);
    const option = reporterOption(text);
    return option === undefined
      ? []
      : [
          `The script "${nameOf(property.key)}" sets ${option}, which overrides the configuration: add ./${publisherPath} there too.`,
        ];
  });
}

function reporterOption(script: string): string | undefined {
  const runners = ['vitest', 'jest', 'playwright', 'mocha'];
  const options = ['--reporter', '--reporters', '-R'];
  for (const command of script.split(/[&|;]/)) {
    const words = command.split(/[\s=]+/);
    const runner = words.findIndex((word) => runners.includes(word));
    const option = words.find((word, at) => runner >= 0 && at > runner && options.includes(word));
    if (option !== undefined) return option;
  }
  return undefined;
}

const turboFile = 'turbo.json';

/** The variables that publishers read; turbo hides every variable from its tasks unless its configuration names it. */
const variables = [
  'SIGNALBOX',
  'SIGNALBOX_*',
  'CLAUDE_CODE_SESSION_ID',
  'CODEX_SESSION_ID',
  'COPILOT_AGENT_SESSION_ID',
];

/** Passes the publishers' variables to the tasks of turbo without making them part of a cache key. */
function turboEdits(text: string): TextEdit[] {
  const tree = parseTree(text);
  if (!tree || findNodeAtLocation(tree, ['envMode'])?.value === 'loose') return [];
  const list = findNodeAtLocation(tree, ['globalPassThroughEnv']);
  const named = (list?.children ?? []).map(({ value }) => String(value));
  const missing = variables.filter((name) => !named.includes(name));
  if (missing.length === 0) return [];
  const unit = indentUnitOf(text);
  const formattingOptions = { insertSpaces: !unit.includes('\t'), tabSize: unit.length, eol: lineEndOf(text) };
  const edits = modify(text, ['globalPassThroughEnv'], [...named, ...missing], { formattingOptions });
  return edits.map(({ offset, length, content }) => ({ start: offset, end: offset + length, text: content }));
}
