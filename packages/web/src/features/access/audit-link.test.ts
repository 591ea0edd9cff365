import { expect, test } from 'vitest';
import { auditLink } from './audit-link.ts';

test('an entry of the audit links to the page of what it was about', () => {
  expect(auditLink('claim_next', 'shop/lexer')).toBe('/plans/shop?node=lexer');
  expect(auditLink('import_plan', 'shop')).toBe('/plans/shop');
  expect(auditLink('note_repository', 'acme/shop')).toBe('/repositories/acme/shop');
  expect(auditLink('revoke_token', 'ci')).toBe('/tokens');
  expect(auditLink('eject_run', 'a9c2')).toBeNull();
  expect(auditLink('claim_next', null)).toBeNull();
});
