import { fetchAtMost } from '../../../files/fetch-at-most.ts';
import { errorCode } from '../../../kernel/error-code.ts';
import type { Occurrence } from '../../../receivers/occurrence.ts';
import { gitHubReportOf } from '../github-report.ts';
import type { Sent } from '../ports.ts';

type Writer = { url: string; token: string };
type Answer = { status: number; body: unknown };

const timeoutMs = 10_000;
const commentsPerPage = 100;
const mostPages = 10;

/** Sets a commit status, or writes one comment and edits it from then on. */
export async function writeToGitHub(writer: Writer, occurrence: Occurrence, stopped: AbortSignal): Promise<Sent> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)]);
  const ask = (method: string, path: string, body?: object) => askGitHub(writer, signal, method, path, body);
  try {
    if (occurrence.type === 'test') return sentOf(await ask('GET', '/rate_limit'));
    const report = gitHubReportOf(occurrence);
    if (report === null) return { status: 204, error: null };
    if (report.kind === 'status') return sentOf(await ask('POST', report.path, report.body));
    const { repository, number, marker, text: body } = report;
    for (let page = 1; page <= mostPages; page += 1) {
      const path = `/repos/${repository}/issues/${number}/comments?per_page=${commentsPerPage}&page=${page}`;
      const listed = await ask('GET', path);
      if (listed.status !== 200 || !Array.isArray(listed.body)) return sentOf(listed);
      const own = listed.body.find((comment) => String(comment?.body ?? '').startsWith(marker));
      if (own) return sentOf(await ask('PATCH', `/repos/${repository}/issues/comments/${Number(own.id)}`, { body }));
      if (listed.body.length < commentsPerPage) break;
    }
    return sentOf(await ask('POST', `/repos/${repository}/issues/${number}/comments`, { body }));
  } catch (fault) {
    return {
      status: null,
      error: errorCode(fault instanceof Error ? fault.cause : undefined) ?? 'GitHub did not answer',
    };
  }
}

const sentOf = ({ status }: Answer): Sent => ({
  status,
  error: status >= 200 && status < 300 ? null : `GitHub answered ${status}`,
});

const boundedFetch = fetchAtMost(4 * 1024 * 1024);

async function askGitHub(
  { url, token }: Writer,
  signal: AbortSignal,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const answer = await boundedFetch(`${url}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `bearer ${token}`,
      'user-agent': 'signalbox',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal,
    redirect: 'manual',
  });
  const text = await answer.text();
  return { status: answer.status, body: method === 'GET' && answer.ok ? JSON.parse(text) : null };
}
