import { Document } from '../../../kernel/document.ts';
import { isRefusal, type Refusal } from '../../../kernel/outcome.ts';
import type { RunDetail } from '../contract.ts';
import { isTroubled } from '../failing.ts';
import { type Address, bodyOf, fetchFromConsole } from './remote-console.ts';

/** A detail up to this size is read whole; a longer one is passed on as it comes. */
const wholeBytes = 2 * 1024 * 1024;

/** What is fetched of single runs on another machine, when it is asked for. */
export class ConsoleOverHttp {
  readonly #address: Address;

  constructor(address: Address) {
    this.#address = address;
  }

  async detail(runId: string): Promise<RunDetail | Document | Refusal> {
    const answer = await this.#fetch('GET', `/api/runs/${encodeURIComponent(runId)}`);
    if (isRefusal(answer)) return answer;
    const length = Number(answer.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
    if (length <= wholeBytes) return (await answer.json()) as RunDetail;
    return new Document('application/json; charset=utf-8', bodyOf(answer));
  }

  async troubled(runId: string) {
    const answer = await this.#fetch('GET', `/api/runs/${encodeURIComponent(runId)}`);
    if (isRefusal(answer)) return answer;
    const { run, scenarios } = (await answer.json()) as RunDetail;
    return { run, scenarios: scenarios.filter(({ outcome }) => isTroubled(outcome)) };
  }

  async export(runId: string, format: string): Promise<Document | Refusal> {
    const path = `/api/runs/${encodeURIComponent(runId)}/export?format=${encodeURIComponent(format)}`;
    const answer = await this.#fetch('GET', path);
    if (isRefusal(answer)) return answer;
    const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
    return new Document(answer.headers.get('content-type') ?? 'application/octet-stream', bodyOf(answer), name, path);
  }

  async eject(runId: string): Promise<Record<string, never> | Refusal> {
    const answer = await this.#fetch('DELETE', `/api/runs/${encodeURIComponent(runId)}`);
    return isRefusal(answer) ? answer : {};
  }

  #fetch = (method: string, path: string): Promise<Response | Refusal> => fetchFromConsole(this.#address, method, path);
}
