import { expect, test } from 'vitest';
import { personOf } from './person.ts';

const groups = new Map([
  ['eng', ['work']],
  ['leads', ['author', 'publish']],
] as const);
const of = (claims: object) => personOf({ sub: 's1', groups: ['eng'], ...claims }, 'login.example.com', groups);

test('a person is called by a verified email address, in lower case', () => {
  expect(of({ email: 'Ada@Example.com' })).toEqual({ sub: 's1', name: 'ada@example.com', scopes: ['work'] });
});

test('an email address that is not verified is not a name', () => {
  expect(of({ email: 'grace@example.com', email_verified: false, preferred_username: 'ada' })).toMatchObject({
    name: 'ada@login.example.com',
  });
  expect(of({ email: 'grace@example.com', email_verified: false })).toHaveProperty('why');
  const named = { email: 'x@example.com', email_verified: false, preferred_username: 'ada@example.com' };
  expect(of(named)).toMatchObject({ name: 'ada%40example.com@login.example.com' });
});

test('a user name is never the name of a token, nor a label below one', () => {
  expect(of({ preferred_username: 'ci' })).toMatchObject({ name: 'ci@login.example.com' });
  expect(of({ preferred_username: 'ci/shard' })).toMatchObject({ name: 'ci%2Fshard@login.example.com' });
  expect(of({ preferred_username: 'a@b@c' })).toMatchObject({ name: 'a%40b%40c@login.example.com' });
});

test('letters that look like others are escaped, and so is the escape', () => {
  expect(of({ email: 'аda@example.com' })).toMatchObject({ name: '%D0%B0da@example.com' });
  expect(of({ email: '%D0%B0da@example.com' })).toMatchObject({ name: '%25d0%25b0da@example.com' });
  expect(of({ email: '\u202Eada\ud800@example.com' })).toMatchObject({ name: '%E2%80%AEada%EF%BF%BD@example.com' });
});

test('a name that is too long is refused', () => {
  expect(of({ email: `${'a'.repeat(200)}@example.com` })).toHaveProperty('why');
});

test('scopes are those of all groups and roles together', () => {
  expect(of({ email: 'a@b.c', roles: ['leads'] })).toMatchObject({ scopes: ['work', 'author', 'publish'] });
  expect(of({ email: 'a@b.c', groups: 'leads' })).toMatchObject({ scopes: ['author', 'publish'] });
});

test('a person in no mapped group learns which group is needed', () => {
  expect(of({ email: 'a@b.c', groups: ['sales', 7] })).toEqual({
    why: 'You are a@b.c, and none of your groups (sales) gives access here. Ask to be added to one of these: eng (work), leads (author, publish).',
  });
  expect(of({ email: 'a@b.c', groups: undefined })).toMatchObject({ why: expect.stringContaining('sent no groups') });
});

test('the group * is everybody', () => {
  expect(personOf({ sub: 's1', email: 'a@b.c' }, 'p', new Map([['*', ['read']]] as const))).toMatchObject({
    scopes: ['read'],
  });
});
