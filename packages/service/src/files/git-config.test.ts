import { describe, expect, test } from 'vitest';
import { branchOfHead, ownerName, parseGitConfig, repositoryOf } from './git-config.ts';

describe('owner and name are read from every form of a remote', () => {
  test.each([
    ['https://github.com/acme/shop.git', 'acme/shop'],
    ['https://github.com/acme/shop', 'acme/shop'],
    ['https://github.com/acme/shop/', 'acme/shop'],
    ['https://user:ghp_secret@github.com:8443/acme/shop.git', 'acme/shop'],
    ['https://ghp_secret@github.com/acme/shop.git', 'acme/shop'],
    ['ssh://git@ssh.github.com:443/acme/shop.git', 'acme/shop'],
    ['git://host/acme/shop.git', 'acme/shop'],
    ['git+ssh://git@host/acme/shop', 'acme/shop'],
    ['git@github.com:acme/shop.git', 'acme/shop'],
    ['work-alias:acme/shop.git', 'acme/shop'],
    ['git@gitlab.com:group/team/shop.git', 'team/shop'],
    ['https://dev.azure.com/org/project/_git/shop', 'org/shop'],
    ['git@ssh.dev.azure.com:v3/org/project/shop', 'org/shop'],
    ['https://github.com/acme/shop.wiki.git', 'acme/shop.wiki'],
    ['/srv/git/acme/shop.git', null],
    ['file:///srv/acme/shop.git', null],
    ['C:/repos/acme/shop', null],
    ['../shop', null],
    ['https://github.com/shop', null],
    ['', null],
  ])('%s', (url, expected) => {
    expect(ownerName(url)).toBe(expected);
  });
});

const repository = (config: string, branch = 'main') => repositoryOf(parseGitConfig(config), branch);

test("origin takes precedence over the branch's remote, and that over the only remote", () => {
  const other = '[remote "other"]\n\turl = git@h:o/other.git\n';
  const mine = '[remote "mine"]\n\turl = git@h:o/mine.git\n[branch "main"]\n\tremote = mine\n';
  expect(repository(`${other}${mine}[remote "origin"]\r\n url = "git@h:o/origin.git" ; c\r\n`)).toBe('o/origin');
  expect(repository(`${other}${mine}`)).toBe('o/mine');
  expect(repository(other)).toBe('o/other');
  expect(repository(`${other}${mine}`, 'side')).toBeNull();
  expect(repository('')).toBeNull();
});

test('the longest rewriting prefix applies', () => {
  const config =
    '[url "git@h:"]\n insteadOf = s:\n[url "https://h/deep/"]\n insteadOf = s:x/\n[remote "origin"]\n url = s:x/shop\n';
  expect(repository(config)).toBe('deep/shop');
});

test('HEAD names a branch, also one with slashes, or is detached', () => {
  expect(branchOfHead('ref: refs/heads/feat/nav\n')).toBe('feat/nav');
  expect(branchOfHead(`${'a1'.repeat(20)}\n`)).toBe('a1a1a1a1');
  expect(branchOfHead('ref: refs/heads/.invalid')).toBeNull();
});
