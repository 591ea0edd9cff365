import { SaxesParser } from 'saxes';

/** The content of a committed manifest: its own name and version, and the required version of each dependency. */
export type Manifest = {
  name: string | null;
  version: string | null;
  /** The dependencies by name; NuGet names are in lower case, because NuGet ignores case. */
  dependencies: ReadonlyMap<string, string>;
};

const nothing: Manifest = { name: null, version: null, dependencies: new Map() };
const stepLength = 64 * 1024;

/** Reads a manifest in steps, so that other work runs in between. A malformed one is treated as empty. */
export function* readManifest(path: string, text: string): Generator<void, Manifest> {
  const plain = text.replace(/^\uFEFF/, '');
  if (isNpmManifest(path)) return readPackageJson(plain);
  return isProject(path) ? yield* readProject(plain) : nothing;
}

/** The version that a manifest requires of a dependency; undefined if it does not name it. */
export const requestedVersion = ({ dependencies }: Manifest, name: string): string | undefined =>
  dependencies.get(name) ?? dependencies.get(nuGetKey(name));

const nuGetKey = (name: string): string => `nuget:${name.toLowerCase()}`;

const sections = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

function readPackageJson(text: string): Manifest {
  let document: Record<string, unknown> | null;
  try {
    document = JSON.parse(text);
  } catch {
    return nothing;
  }
  const dependencies = new Map<string, string>();
  for (const section of sections) {
    for (const [key, requested] of Object.entries(document?.[section] ?? {})) {
      if (typeof requested !== 'string') continue;
      const [name, version] = aliased(key, requested);
      if (!dependencies.has(name)) dependencies.set(name, version);
    }
  }
  return { name: textOf(document?.name), version: textOf(document?.version), dependencies };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** `"sdk": "npm:@acme/sdk@^2.0.0"` asks for `@acme/sdk`, whatever it is called here. */
function aliased(key: string, requested: string): [name: string, version: string] {
  const target = /^npm:(.+)$/.exec(requested)?.[1];
  const at = target?.indexOf('@', 1) ?? -1;
  if (target === undefined) return [key, requested];
  // `npm:^2.0.0` names a range of the package itself.
  if (at < 0) return /^[\^~<>=*\d]/.test(target) ? [key, target] : [target, '*'];
  return [target.slice(0, at), target.slice(at + 1)];
}

/** `<PackageReference Include="X" Version="1.2.3" />`, also with the version as an element, and `<PackageVersion …>`. */
function* readProject(text: string): Generator<void, Manifest> {
  const reader = new ProjectReader();
  for (let from = 0; from < text.length && !reader.malformed; from += stepLength) {
    reader.write(text.slice(from, from + stepLength));
    yield;
  }
  return reader.malformed ? nothing : { ...nothing, dependencies: reader.dependencies() };
}

class ProjectReader {
  malformed = false;
  readonly #parser = new SaxesParser({ fragment: true, xmlns: false });
  readonly #requested = new Map<string, string>();
  readonly #properties = new Map<string, string>();
  readonly #path: string[] = [];
  #package: string | undefined;
  #text = '';

  constructor() {
    // The parser would continue after an error, and a text may consist of errors only.
    this.#parser.on('error', () => {
      this.malformed = true;
    });
    this.#parser.on('opentag', ({ name, attributes }) => this.#open(name, attributes));
    this.#parser.on('text', (text) => {
      this.#text = text;
    });
    this.#parser.on('closetag', ({ name }) => this.#close(name));
  }

  write(text: string): void {
    for (let from = 0; from < text.length && !this.malformed; from += 1024)
      this.#parser.write(text.slice(from, from + 1024));
  }

  dependencies(): Map<string, string> {
    return new Map([...this.#requested].map(([name, version]) => [name, this.#resolved(version)]));
  }

  #open(name: string, attributes: Record<string, string>): void {
    this.#path.push(name);
    this.#text = '';
    if (name !== 'PackageReference' && name !== 'PackageVersion') return;
    const include = attributes.Include ?? attributes.Update;
    this.#package = include === undefined ? undefined : nuGetKey(include.trim());
    const version = attributes.VersionOverride ?? attributes.Version;
    if (version !== undefined) this.#request(version);
  }

  #close(name: string): void {
    this.#path.pop();
    const parent = this.#path.at(-1);
    if (name === 'PackageReference' || name === 'PackageVersion') this.#package = undefined;
    else if (name === 'Version' && this.#package !== undefined) this.#request(this.#text);
    else if (parent === 'PropertyGroup') this.#properties.set(name.toLowerCase(), this.#text.trim());
    this.#text = '';
  }

  #request(version: string): void {
    const trimmed = version.trim();
    if (this.#package === undefined || trimmed === '' || this.#requested.has(this.#package)) return;
    const exact = trimmed.startsWith('[') && trimmed.endsWith(']') && !trimmed.includes(',');
    this.#requested.set(this.#package, exact ? trimmed.slice(1, -1) : trimmed);
  }

  /** `$(SdkVersion)`, if the same file defines it. */
  #resolved(version: string): string {
    const property = /^\$\(([\w.-]{1,200})\)$/.exec(version)?.[1];
    return (property && this.#properties.get(property.toLowerCase())) || version;
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const isNpmManifest = (path: string): boolean => nameOf(path) === 'package.json';

export const isProject = (path: string): boolean => /\.(csproj|fsproj|vbproj|props)$/.test(nameOf(path));

/** Manifests that may name a dependency, by the path they have in the repository. */
export const isManifest = (path: string): boolean => {
  const name = nameOf(path);
  return (
    (name === 'package.json' || name === 'Directory.Packages.props' || /\.(csproj|fsproj|vbproj)$/.test(name)) &&
    !`/${path}`.includes('/node_modules/')
  );
};
