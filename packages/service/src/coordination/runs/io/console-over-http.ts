import { Document } from '../../../kernel/document.ts';
import { isRefusal, type Refusal } from '../../../kernel/outcome.ts';
import type { RunDetail } from '../contract.ts';
import { isFailing } from '../failing-tests.ts';
import { unknownRun } from '../pick-run.ts';
import {
  bodyOf,
  type ConsoleAddress,
  fetchFromConsole,
  hasMembers,
  jsonOf,
  refuseUnexpected,
} from './remote-console.ts';

/** A detail up to this size is read whole; a longer one is passed on as it comes. */
const maxBufferedBytes = 2 * 1024 * 1024;

export const isDetail = hasMembers('run', 'scenarios');

/** What is fetched of single runs on another machine, when it is asked for. */
export class ConsoleOverHttp {
  readonly #address: ConsoleAddress;

  constructor(address: ConsoleAddress) {
    this.#address = address;
  }

  async detail(runId: string): Promise<RunDetail | Document | Refusal> {
    const answer = await this.#fetch('GET', runId);
    if (isRefusal(answer)) return answer;
    const length = Number(answer.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
    if (length <= maxBufferedBytes) return jsonOf<RunDetail>(answer, this.#address, isDetail);
    if (!answer.headers.get('content-type')?.startsWith('application/json')) return refuseUnexpected(this.#address);
    return new Document('application/json; charset=utf-8', bodyOf(answer));
  }

  async failing(runId: string) {
    const answer = await this.#fetch('GET', runId);
    if (isRefusal(answer)) return answer;
    const detail = await jsonOf<RunDetail>(answer, this.#address, isDetail);
    if (isRefusal(detail)) return detail;
    const { run, scenarios } = detail;
    return { run, scenarios: scenarios.filter(({ outcome }) => isFailing(outcome)) };
  }

  async export(runId: string, format: string): Promise<Document | Refusal> {
    const rest = `/export?format=${encodeURIComponent(format.toWellFormed())}`;
    const answer = await this.#fetch('GET', runId, rest);
    if (isRefusal(answer)) return answer;
    const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
    if (name === undefined) return refuseUnexpected(this.#address);
    return new Document(
      answer.headers.get('content-type') ?? 'application/octet-stream',
      bodyOf(answer),
      name,
      pathOf(runId) + rest,
    );
  }

  async eject(runId: string, by: string): Promise<Record<string, never> | Refusal> {
    const answer = await this.#fetch('DELETE', runId, `?by=${encodeURIComponent(by)}`);
    return isRefusal(answer) ? answer : {};
  }

  async #fetch(method: string, runId: string, rest = ''): Promise<Response | Refusal> {
    if (!runIdPattern.test(runId)) return unknownRun(runId);
    return fetchFromConsole(this.#address, method, pathOf(runId) + rest);
  }
}

/** What does not fit names no run, and in an address it may name something else: `.` after `/api/runs/` is all of them. */
const runIdPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const pathOf = (runId: string): string => `/api/runs/${runId}`;
