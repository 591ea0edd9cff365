import { restRequest } from '../../../browser/rest-request.ts';
import { routes } from '../../../browser/routes.ts';
import { AnswerTooLong } from '../../../files/fetch-at-most.ts';
import type { AuditPage } from '../../../kernel/audit.ts';
import { askConsole, type ConsoleAddress, hasMembers, wholeJson } from './remote-console.ts';

const isAuditPage = hasMembers<AuditPage>('items', 'next');

/** The audit of another host, or why there is none. */
export async function auditOn(address: ConsoleAddress, filter: object): Promise<AuditPage | string> {
  if (address.url === '') return 'has not published its address';
  try {
    const answer = await askConsole(address, restRequest(routes.list_audit, filter));
    const body = await wholeJson(answer);
    return answer.ok && isAuditPage(body) ? body : `answered ${answer.status} at ${address.url}`;
  } catch (fault) {
    if (fault instanceof AnswerTooLong) return `${fault.message} at ${address.url}`;
    return `does not answer at ${address.url}`;
  }
}
