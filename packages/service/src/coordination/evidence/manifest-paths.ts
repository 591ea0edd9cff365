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
