import { writeFileSync } from 'node:fs';
import { request } from '@octokit/request';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { errorCode } from '../kernel/error-code.ts';
import { CallFailed, exitCodes } from './client.ts';
import { amountOf } from './figures.ts';
import { type Issue, planFromIssues } from './plan-from-issues.ts';
import { userFile } from './user-folder.ts';

type Options = { milestone?: string; label?: string; out?: string };

/** `signalbox plans from-github owner/name`: a plan document from issues, for review; it creates nothing by itself. */
export function addFromGitHub(plans: Command): void {
  plans
    .command('from-github <repository>')
    .description('write a plan document from the issues of a repository, for review')
    .option('--milestone <title>', 'only the issues of this milestone')
    .option('--label <label>', 'only the issues with this label')
    .option('--out <file>', 'where to write (default: <name>.yaml); never overwrites a file')
    .action(write);
}

async function write(repository: string, { milestone, label, out }: Options): Promise<void> {
  const [owner, name, ...rest] = repository.split('/');
  if (!owner || !name || rest.length > 0)
    throw new CallFailed(`The repository must be owner/name, not ${repository}.`, exitCodes.usage);
  const issues = await readIssues(owner, name, label);
  const chosen = issues.filter(
    (issue) => milestone === undefined || issue.milestone?.toLowerCase() === milestone.toLowerCase(),
  );
  if (chosen.length === 0)
    throw new CallFailed(`No matching issues in ${repository}. Check --milestone and --label.`, exitCodes.refused);
  const file = out ?? `${name}.yaml`;
  try {
    writeFileSync(userFile(file), stringify(planFromIssues(`${owner}/${name}`, milestone ?? label ?? name, chosen)), {
      flag: 'wx',
    });
  } catch (fault) {
    if (errorCode(fault) !== 'EEXIST') throw fault;
    throw new CallFailed(
      `${file} already exists and is not overwritten. Choose another file with --out.`,
      exitCodes.refused,
    );
  }
  process.stdout.write(
    `Wrote ${file} with ${amountOf(chosen.length, 'node')}. Review it, then: signalbox plans import ${file}\n`,
  );
}

type GitHubIssue = {
  number: number;
  title: string;
  body?: string | null;
  milestone?: { title: string } | null;
  labels: Array<{ name?: string } | string>;
  pull_request?: object;
};

const gitHub = () => {
  const { Service__GitHubUrl: baseUrl, Service__GitHubToken, GITHUB_TOKEN, GH_TOKEN } = process.env;
  const token = Service__GitHubToken ?? GITHUB_TOKEN ?? GH_TOKEN;
  return request.defaults({
    ...(baseUrl === undefined ? {} : { baseUrl }),
    headers: { 'user-agent': 'signalbox', ...(token === undefined ? {} : { authorization: `bearer ${token}` }) },
  });
};

async function readIssues(owner: string, name: string, label: string | undefined): Promise<Issue[]> {
  const ask = gitHub();
  const home = `/repos/${owner}/${name}/issues`;
  const get = async (path: string, query: object = {}): Promise<GitHubIssue[]> => {
    const { data } = await ask(`GET ${path}`, { per_page: 100, ...query }).catch((fault: { status?: number }) => {
      throw new CallFailed(
        `GitHub answered ${fault.status ?? 'nothing'} for ${path}. Check the repository name and GITHUB_TOKEN.`,
        exitCodes.refused,
      );
    });
    return data;
  };
  /** Servers without sub-issues or dependencies respond with 404, which means none. */
  const numbers = async (path: string): Promise<number[]> =>
    (await get(path).catch(() => [])).map(({ number }) => number);

  const issues: Issue[] = [];
  for (let page = 1; ; page += 1) {
    const found = await get(home, { state: 'open', page, ...(label === undefined ? {} : { labels: label }) });
    for (const issue of found.filter(({ pull_request }) => pull_request === undefined)) {
      const blockedBy = [
        ...(await numbers(`${home}/${issue.number}/sub_issues`)),
        ...(await numbers(`${home}/${issue.number}/dependencies/blocked_by`)),
      ];
      const labels = issue.labels.flatMap((one) => (typeof one === 'string' ? one : (one.name ?? [])));
      issues.push({
        number: issue.number,
        title: issue.title,
        body: issue.body ?? null,
        milestone: issue.milestone?.title ?? null,
        labels,
        blockedBy,
      });
    }
    if (found.length < 100) return issues;
  }
}
