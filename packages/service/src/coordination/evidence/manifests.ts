/** The version that a committed manifest asks of a dependency; undefined where it does not name it. */
export function requestedVersion(path: string, text: string, name: string): string | undefined {
  if (path.endsWith('package.json')) return inPackageJson(text, name);
  return /\.(csproj|fsproj|vbproj|props)$/.test(path) ? inProject(text, name) : undefined;
}

const sections = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

function inPackageJson(text: string, name: string): string | undefined {
  let manifest: Record<string, Record<string, unknown> | undefined> | null;
  try {
    manifest = JSON.parse(text.replace(/^\uFEFF/, '')) as typeof manifest;
  } catch {
    return undefined;
  }
  for (const section of sections) {
    const requested = manifest?.[section]?.[name];
    if (typeof requested === 'string') return requested;
  }
  return undefined;
}

/** `<PackageReference Include="X" Version="1.2.3" />`, also with the version as an element, and `<PackageVersion …>`. */
function inProject(text: string, name: string): string | undefined {
  const withoutComments = text.replace(/<!--[\s\S]*?-->/g, '');
  for (const [, attributes = '', inner = ''] of withoutComments.matchAll(
    /<Package(?:Reference|Version)\b([^>]*?)(?:\/>|>([\s\S]*?)<\/Package)/g,
  )) {
    const include = /\b(?:Include|Update)\s*=\s*["']([^"']+)["']/.exec(attributes)?.[1];
    if (include?.toLowerCase() !== name.toLowerCase()) continue;
    const version =
      /\bVersion(?:Override)?\s*=\s*["']([^"']+)["']/.exec(attributes)?.[1] ??
      /<Version>\s*([^<]+?)\s*<\/Version>/.exec(inner)?.[1];
    if (version !== undefined) return version.replace(/^\[([^,\]]+)\]$/, '$1');
  }
  return undefined;
}

/** Manifests that may name a dependency, by the path they have in the repository. */
export const isManifest = (path: string): boolean =>
  /(^|\/)(package\.json|Directory\.Packages\.props|[^/]+\.(csproj|fsproj|vbproj))$/.test(path) &&
  !/(^|\/)node_modules\//.test(path);
