import { paths } from '../../paths.ts';

/** The page of the subject of an audit entry; null if it has none. */
export function auditLink(command: string, ref: string | null): string | null {
  if (ref === null) return null;
  if (command.endsWith('_token')) return paths.tokens;
  if (command.endsWith('_repository')) return ref.includes('/') ? paths.repositoryNamed(ref) : null;
  if (/_run$/.test(command)) return null;
  if (ref.includes('/')) return paths.nodeRef(ref);
  return command.endsWith('_plan') ? paths.plan(ref) : null;
}
