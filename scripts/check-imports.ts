import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { type Room, rooms } from '../architecture.ts';

// Checks every import against architecture.ts, and keeps time and randomness out of pure files.
const root = join(import.meta.dirname, '..');
const files = globSync(['packages/*/src/**/*.{ts,tsx}', 'testing/*.ts'], { cwd: root }).filter(
  (file) => !/\.test\.tsx?$/.test(file),
);
const faults: string[] = [];

const isPure = (file: string): boolean =>
  /^packages\/(service\/src\/(kernel|run-contract|coordination|console|browser)|event-model\/src)\//.test(file) &&
  !file.includes('/io/');

function roomOf(file: string): [string, Room] | undefined {
  const names = Object.keys(rooms).filter((name) => file === name || file.startsWith(`${name}/`));
  const name = names.sort((a, b) => b.length - a.length)[0];
  const room = name === undefined ? undefined : rooms[name];
  return name === undefined || !room ? undefined : [name, room];
}

/** `packages/x/src/y/z.ts`, `npm:zod` or `node`: an import in the notation of the table. */
function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return relative(root, join(root, dirname(file), specifier));
  if (isBuiltin(specifier)) return 'node';
  return `npm:${specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')}`;
}

function grants(grant: string, target: string, targetRoom: string | undefined): boolean {
  if (grant === target || grant === targetRoom) return true;
  if (!grant.includes('*')) return false;
  const pattern = grant
    .split('*')
    .map((part) => part.replace(/[.\\]/g, '\\$&'))
    .join(grant.endsWith('/*') ? '.*' : '[^/]*');
  return new RegExp(`^${pattern}$`).test(target);
}

/** Every file with the files it imports, types included. */
const imports = new Map<string, Set<string>>();

function checkImport(file: string, specifier: string): void {
  const own = roomOf(file);
  if (!own) return void faults.push(`${file} lies in no room of architecture.ts`);
  const [name, { may }] = own;
  const target = targetOf(file, specifier);
  imports.set(file, (imports.get(file) ?? new Set()).add(target));
  const targetRoom = roomOf(target)?.[0];
  if (targetRoom === name || may.some((grant) => grants(grant, target, targetRoom))) return;
  faults.push(`${file} imports ${specifier}; architecture.ts grants ${name} no ${targetRoom ?? target}`);
}

/** Files that import each other in a circle cannot be read in order, even if they share only types. */
function checkCircles(): void {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    const start = path.indexOf(file);
    if (start >= 0) return void faults.push(`imports go in a circle: ${[...path.slice(start), file].join(' > ')}`);
    if (done.has(file)) return;
    path.push(file);
    for (const target of imports.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of imports.keys()) visit(file);
}

/** Entry points that are published, started, or run as a thread. */
const entries =
  /^packages\/(service\/src\/(cli\/(bin|main)\.ts|observer\/main\.ts|browser\/|client\/)|publisher\/src\/[^/]+\.ts|web\/src\/(export-)?main\.tsx|client\/)|[-./](thread|worker)\.ts$/;

/** A file that only tests need belongs in `testing`. Imports by scripts count as use. */
function checkTestOnly(): void {
  const reached = new Set<string>();
  const reach = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const target of imports.get(file) ?? []) reach(target);
  };
  for (const script of globSync('scripts/*.ts', { cwd: root })) {
    const text = readFileSync(join(root, script), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/'(\.\.\/packages\/[^']+)'/g)) reach(targetOf(script, specifier));
  }
  for (const file of files) if (entries.test(file)) reach(file);
  for (const file of files) {
    if (file.startsWith('packages/') && !reached.has(file))
      faults.push(`${file} is imported by tests alone: move it to testing/`);
  }
}

type Spelling = { what: string; pattern: RegExp; owner: string; in: RegExp };

/** Texts that only one file may build and parse; other files must call that file. */
const spellings: readonly Spelling[] = [
  {
    what: 'a stream',
    pattern: /^(plan|claim|evidence|link|repository):/,
    owner: 'packages/service/src/kernel/streams.ts',
    in: /^packages\/service\/src\//,
  },
  {
    what: 'an address of the API',
    pattern: /^\/api\//,
    owner: 'packages/service/src/browser/routes.ts',
    in: /^packages\/(web\/src|service\/src\/cli|service\/src\/coordination\/.*io)\//,
  },
];

function checkSpellings(
  file: string,
  program: Parameters<Visitor['visit']>[0],
  lineAt: (offset: number) => number,
): void {
  const here = spellings.filter((one) => one.in.test(file) && file !== one.owner);
  if (here.length === 0) return;
  const report = (text: string, start: number) => {
    for (const { what, pattern, owner } of here)
      if (pattern.test(text)) faults.push(`${file}:${lineAt(start)} spells ${what} (${text}): ask ${owner} for it`);
  };
  new Visitor({
    Literal({ value, start }) {
      if (typeof value === 'string') report(value, start);
    },
    TemplateElement({ value, start }) {
      report(value.raw, start);
    },
  }).visit(program);
}

/** Output shows only the name of a test, so names must be unique. */
function checkTestNames(tests: readonly string[]): void {
  for (const [name, found] of Map.groupBy(tests, (file) => basename(file)))
    if (found.length > 1) faults.push(`${found.length} tests are called ${name}: ${found.join(', ')}`);
}

const platformFile = 'packages/service/src/platform/platform.ts';

/** Only one file checks the operating system, so that supporting another one means adding an adapter. */
function checkPlatform(
  file: string,
  program: Parameters<Visitor['visit']>[0],
  lineAt: (offset: number) => number,
): void {
  if (file === platformFile) return;
  new Visitor({
    MemberExpression({ object, property, start }) {
      if (object.type !== 'Identifier' || property.type !== 'Identifier') return;
      if (object.name === 'process' && property.name === 'platform')
        faults.push(`${file}:${lineAt(start)} asks which system it is on: ask ${platformFile}`);
    },
  }).visit(program);
}

/** The types of data that crosses a boundary: they come from its map, through a reader that checks the data. */
const seamTypes = /(Event|Answer|Summary|Message)$/;
/** None of them an event or an answer: a list of JSON made a line before, a status asked of nothing, what frameworks pass. */
const allowedCasts = [
  'service/src/cli/connect/json-edit.ts',
  'service/src/edge/openapi.ts',
  'publisher/src/one-file.ts',
];

/** A cast of an event or an answer hides errors; a cast of an existing list item is allowed. */
function checkCasts(file: string, program: Parameters<Visitor['visit']>[0], lineAt: (offset: number) => number): void {
  if (allowedCasts.some((one) => file === `packages/${one}`)) return;
  new Visitor({
    TSAsExpression({ expression, typeAnnotation: to, start }) {
      const isTwice = expression.type === 'TSAsExpression' && expression.typeAnnotation.type === 'TSUnknownKeyword';
      const isItem = expression.type === 'MemberExpression' && expression.computed;
      const name = to.type === 'TSTypeReference' && to.typeName.type === 'Identifier' ? to.typeName.name : '';
      if (isTwice || to.type === 'TSNeverKeyword' || (seamTypes.test(name) && !isItem))
        faults.push(`${file}:${lineAt(start)} casts to ${name || to.type}: let its map or a check give the type`);
    },
  }).visit(program);
}

const banned: Record<string, readonly string[]> = {
  Date: ['now'],
  Math: ['random'],
  crypto: ['randomUUID', 'getRandomValues', 'subtle'],
};

function checkPure(file: string, program: Parameters<Visitor['visit']>[0], lineAt: (offset: number) => number): void {
  const ban = (what: string, offset: number) =>
    faults.push(`${file}:${lineAt(offset)} uses ${what}: pure files get time and chance as arguments`);
  new Visitor({
    MemberExpression({ object, property, start }) {
      if (
        object.type === 'Identifier' &&
        property.type === 'Identifier' &&
        banned[object.name]?.includes(property.name)
      ) {
        ban(`${object.name}.${property.name}`, start);
      }
    },
    NewExpression({ callee, arguments: args, start }) {
      if (callee.type === 'Identifier' && callee.name === 'Date' && args.length === 0) ban('new Date()', start);
    },
  }).visit(program);
}

const maxLines = 400;

/** A longer file has two subjects. */
function checkSize(file: string, text: string): void {
  const lines = text.split('\n').length;
  if (lines > maxLines) faults.push(`${file} has ${lines} lines; look for its second subject (at most ${maxLines})`);
}

for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8');
  const { module, program } = parseSync(file, text);
  for (const { moduleRequest } of module.staticImports) checkImport(file, moduleRequest.value);
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries) if (moduleRequest) checkImport(file, moduleRequest.value);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    checkImport(file, text.slice(moduleRequest.start + 1, moduleRequest.end - 1));
  }
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  checkSpellings(file, program, lineAt);
  checkPlatform(file, program, lineAt);
  checkCasts(file, program, lineAt);
  if (isPure(file)) checkPure(file, program, lineAt);
}
checkCircles();
checkTestOnly();
checkTestNames(globSync(['packages/*/src/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'], { cwd: root }));
for (const file of globSync(
  ['packages/*/src/**/*.{ts,tsx,css}', 'scripts/*', 'tests/**/*.ts', 'testing/*.ts', 'bench/*.ts', '*.ts'],
  {
    cwd: root,
  },
)) {
  if (!file.includes('fixtures')) checkSize(file, readFileSync(join(root, file), 'utf8'));
}

if (faults.length > 0) process.stderr.write(`${faults.join('\n')}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
