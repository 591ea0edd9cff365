import { expect, test } from 'vitest';
import { requestedVersion } from './manifests.ts';
import { observeVersions, takesVersion } from './packages.ts';

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

test('a reference that is commented out is none', () => {
  const project = `<!-- <PackageReference Include="Sdk" Version="2.0.0" /> -->
    <PackageReference Include="Sdk" Version="1.0.0" />`;
  expect(requestedVersion('Shop.csproj', project, 'sdk')).toBe('1.0.0');
});
