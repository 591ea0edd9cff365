import { Document } from '../../../kernel/document.ts';
import { isRefusal, type Refusal } from '../../../kernel/outcome.ts';
import type { RunDetail } from '../contract.ts';
import { isTroubled } from '../failing.ts';
import { noRun } from '../pick.ts';
import { type Address, bodyOf, fetchFromConsole, has, jsonOf, oddOf } from './remote-console.ts';

/** A detail up to this size is read whole; a longer one is passed on as it comes. */
const wholeBytes = 2 * 1024 * 1024;

export const isDetail = has('run', 'scenarios');

/** What is fetched of single runs on another machine, when it is asked for. */
export class ConsoleOverHttp {
  readonly #address: Address;

  constructor(address: Address) {
    this.#address = address;
  }

  async detail(runId: string): Promise<RunDetail | Document | Refusal> {
    const answer = await this.#fetch('GET', runId);
    if (isRefusal(answer)) return answer;
    const length = Number(answer.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
    if (length <= wholeBytes) return jsonOf<RunDetail>(answer, this.#address, isDetail);
    if (!answer.headers.get('content-type')?.startsWith('application/json')) return oddOf(this.#address);
    return new Document('application/json; charset=utf-8', bodyOf(answer));
  }

  async troubled(runId: string) {
    const answer = await this.#fetch('GET', runId);
    if (isRefusal(answer)) return answer;
    const detail = await jsonOf<RunDetail>(answer, this.#address, isDetail);
    if (isRefusal(detail)) return detail;
    const { run, scenarios } = detail;
    return { run, scenarios: scenarios.filter(({ outcome }) => isTroubled(outcome)) };
  }

  async export(runId: string, format: string): Promise<Document | Refusal> {
    const rest = `/export?format=${encodeURIComponent(format.toWellFormed())}`;
    const answer = await this.#fetch('GET', runId, rest);
    if (isRefusal(answer)) return answer;
    const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
    if (name === undefined) return oddOf(this.#address);
    return new Document(
      answer.headers.get('content-type') ?? 'application/octet-stream',
      bodyOf(answer),
      name,
      pathOf(runId) + rest,
    );
  }

  async eject(runId: string): Promise<Record<string, never> | Refusal> {
    const answer = await this.#fetch('DELETE', runId);
    return isRefusal(answer) ? answer : {};
  }

  async #fetch(method: string, runId: string, rest = ''): Promise<Response | Refusal> {
    if (!runIdPattern.test(runId)) return noRun(runId);
    return fetchFromConsole(this.#address, method, pathOf(runId) + rest);
  }
}

/** What does not fit names no run, and in an address it may name something else: `.` after `/api/runs/` is all of them. */
const runIdPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const pathOf = (runId: string): string => `/api/runs/${runId}`;
