import type { ConsoleApi } from '../../../browser/api.ts';
import { restRequest } from '../../../browser/rest-request.ts';
import { consoleRoutes } from '../../../browser/routes.ts';
import { AnswerTooLong } from '../../../files/fetch-at-most.ts';
import { Document } from '../../../kernel/document.ts';
import { isRefusal, type Refusal, refuse } from '../../../kernel/outcome.ts';
import { isRunId } from '../../../run-contract/run-id.ts';
import type { TestHistoryQuery, TestHistoryView } from '../../../run-contract/test-history.ts';
import type { RunDetail } from '../contract.ts';
import { isFailing } from '../failing-tests.ts';
import { unknownRun } from '../pick-run.ts';
import {
  bodyOf,
  type ConsoleAddress,
  fetchFromConsole,
  hasMembers,
  jsonOf,
  mostPassedOnBytes,
  readFromConsole,
  refuseTooLong,
  refuseUnexpected,
} from './remote-console.ts';

/** A detail up to this size is read whole; a longer one is passed on as it comes. */
const maxBufferedBytes = 2 * 1024 * 1024;
/** A console takes attachments of 2 MiB. */
const mostAttachmentBytes = 16 * 1024 * 1024;

export const isDetail = hasMembers<ConsoleApi['get_run']['output']>('run', 'scenarios');

/** The parts of single runs on another machine, fetched on request. */
export class ConsoleOverHttp {
  readonly #address: ConsoleAddress;

  constructor(address: ConsoleAddress) {
    this.#address = address;
  }

  async detail(runId: string): Promise<RunDetail | Document | Refusal> {
    const answer = await this.#fetch('get_run', { runId }, mostPassedOnBytes);
    if (isRefusal(answer)) return answer;
    const length = Number(answer.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
    if (length <= maxBufferedBytes) return jsonOf(answer, this.#address, isDetail);
    if (!answer.headers.get('content-type')?.startsWith('application/json')) return refuseUnexpected(this.#address);
    return new Document('application/json; charset=utf-8', bodyOf(answer));
  }

  testHistory(query: TestHistoryQuery): Promise<TestHistoryView | Refusal> {
    return readFromConsole(this.#address, 'test_history', query, hasMembers<TestHistoryView>('items', 'flipRate'));
  }

  async failing(runId: string) {
    const answer = await this.#fetch('get_run', { runId });
    if (isRefusal(answer)) return answer;
    const detail = await jsonOf(answer, this.#address, isDetail);
    if (isRefusal(detail)) return detail;
    const { run, scenarios } = detail;
    return { run, scenarios: scenarios.filter(({ outcome }) => isFailing(outcome)) };
  }

  async export(runId: string, format: string): Promise<Document | Refusal> {
    const input = { runId, format: format.toWellFormed() };
    const answer = await this.#fetch('get_run_export', input, mostPassedOnBytes);
    if (isRefusal(answer)) return answer;
    const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
    if (name === undefined) return refuseUnexpected(this.#address);
    return new Document(
      answer.headers.get('content-type') ?? 'application/octet-stream',
      bodyOf(answer),
      name,
      restRequest(consoleRoutes.get_run_export, input).path,
    );
  }

  async attachment(runId: string, sha256: string): Promise<Document | Refusal> {
    if (!/^[0-9a-f]{64}$/.test(sha256))
      return refuse(
        'attachment_not_found',
        `Run ${runId} has no attachment ${sha256}. GET /api/runs/${runId} lists them.`,
      );
    const answer = await this.#fetch('get_run_attachment', { runId, sha256 }, mostAttachmentBytes);
    if (isRefusal(answer)) return answer;
    const content = await answer.bytes().catch((fault: unknown) => fault);
    if (content instanceof AnswerTooLong) return refuseTooLong(this.#address, content);
    if (!(content instanceof Uint8Array)) return refuseUnexpected(this.#address);
    const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
    return Document.sandboxed(answer.headers.get('content-type') ?? 'application/octet-stream', content, name);
  }

  async eject(runId: string, by: string): Promise<Record<string, never> | Refusal> {
    const answer = await this.#fetch('eject_run', { runId, by });
    if (isRefusal(answer)) return answer;
    await answer.body?.cancel();
    return {};
  }

  async #fetch<Name extends 'get_run' | 'get_run_export' | 'get_run_attachment' | 'eject_run'>(
    name: Name,
    input: ConsoleApi[Name]['input'],
    maxBytes?: number,
  ): Promise<Response | Refusal> {
    // In a URL the id may mean something else: `/api/runs/.` is the list of all runs.
    if (!isRunId(input.runId)) return unknownRun(input.runId);
    return fetchFromConsole(this.#address, name, input, maxBytes);
  }
}
