import { expect, test } from 'vitest';
import { type Manifest, readManifest, requestedVersion } from './manifests.ts';
import { isUnresolved, observeVersions, requestedVersions, takesVersion } from './packages.ts';

const onNuGet = (version: string, versions: string[]) =>
  observeVersions({ kind: 'package', registry: 'nuget', name: 'Acme.Sdk', version }, versions);

test('a version of four parts is in the range that its first three are in', () => {
  expect(onNuGet('^4.0.0', ['3.9.0', '4.0.0.1', '4.0.0.12', '5.0.0.1'])).toEqual({
    state: 'published',
    detail: 'Acme.Sdk 4.0.0.12 is on nuget',
  });
  expect(onNuGet('^4.1.0', ['4.0.0.1']).state).toBe('notPublished');
  expect(takesVersion('4.0.0.1', '^4.0.0')).toBe(true);
  expect(takesVersion('4.0.0.1', '^5.0.0')).toBe(false);
});

test('where four parts are asked for it is that very version', () => {
  expect(onNuGet('4.0.0.1', ['4.0.0', '4.0.0.1']).state).toBe('published');
  expect(onNuGet('4.0.0.1', ['4.0.0', '4.0.0.2', '4.0.1']).state).toBe('notPublished');
  expect(onNuGet('4.0.0.0', ['4.0.0']).state).toBe('published');
  expect(takesVersion('4.0.0.1', '4.0.0.1')).toBe(true);
  expect(takesVersion('4.0.0', '4.0.0.1')).toBe(false);
});

test('an interval of NuGet takes the least version it lets in', () => {
  expect(takesVersion('[2.0,3.0)', '^2.0.0')).toBe(true);
  expect(takesVersion('[1.5.0.3, )', '^2.0.0')).toBe(false);
  expect(takesVersion('(,3.0)', '^2.0.0')).toBe(false);
});

function read(path: string, text: string): Manifest {
  const reading = readManifest(path, text);
  for (let step = reading.next(); ; step = reading.next()) if (step.done) return step.value;
}
const inProject = (text: string, name: string) => requestedVersion(read('Shop.csproj', text), name);
const npm = (document: object) => read('package.json', JSON.stringify(document));

test('a reference that is commented out does not count', () => {
  const project = `<!-- <PackageReference Include="Sdk" Version="2.0.0" /> -->
    <PackageReference Include="Sdk" Version="1.0.0" />`;
  expect(inProject(project, 'sdk')).toBe('1.0.0');
});

test('the version of a project is an attribute, an element or a property of the same file', () => {
  expect(
    inProject(
      '<Project><PackageReference Include="Sdk"><Version> [2.0.0] </Version></PackageReference></Project>',
      'SDK',
    ),
  ).toBe('2.0.0');
  const property = `<Project><PropertyGroup><SdkVersion>2.1.0</SdkVersion></PropertyGroup>
    <ItemGroup><PackageVersion Include="Sdk" Version="$(SdkVersion)" /></ItemGroup></Project>`;
  expect(inProject(property, 'sdk')).toBe('2.1.0');
  expect(inProject('<Project><PackageReference Include="Sdk" Version="$(Elsewhere)" /></Project>', 'sdk')).toBe(
    '$(Elsewhere)',
  );
  expect(inProject('<Project><PackageReference Include="Sdk" Version="2.0.0" />', 'sdk')).toBe('2.0.0');
  expect(inProject('<Project><<PackageReference Include="Sdk" Version="2.0.0" />', 'sdk')).toBeUndefined();
});

test('an npm alias requires the package behind it', () => {
  const manifest = npm({ dependencies: { sdk: 'npm:@acme/sdk@^2.0.0', old: 'npm:sdk-one@1.0.0' } });
  expect(requestedVersion(manifest, '@acme/sdk')).toBe('^2.0.0');
  expect(requestedVersion(manifest, 'sdk-one')).toBe('1.0.0');
  expect(requestedVersion(manifest, 'sdk')).toBeUndefined();
});

test('a workspace takes the version that the repository itself gives the package', () => {
  const app = npm({ dependencies: { sdk: 'workspace:^' } });
  const sdk = npm({ name: 'sdk', version: '2.3.0' });
  expect(
    requestedVersions(
      [
        ['app/package.json', app],
        ['sdk/package.json', sdk],
      ],
      'sdk',
    ),
  ).toEqual(['^2.3.0']);
  expect(requestedVersions([['app/package.json', app]], 'sdk')).toEqual(['workspace:^']);
});

test('a value from another file is reported as unresolved', () => {
  expect(['catalog:', 'catalog:react', '$(SdkVersion)', 'workspace:*'].filter(isUnresolved)).toHaveLength(4);
  expect(['^2.0.0', 'workspace:^2.0.0', '1.2.3'].filter(isUnresolved)).toEqual([]);
});
