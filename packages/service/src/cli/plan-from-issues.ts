import type { PlanDocument } from '../coordination/plans/contract.ts';
import { trimEndOf } from '../kernel/text.ts';

export type Issue = {
  number: number;
  title: string;
  body: string | null;
  milestone: string | null;
  labels: readonly string[];
  /** Sub-issues and blocking issues. */
  blockedBy: readonly number[];
};

const idOf = (number: number): string => `issue-${number}`;

/** Every issue becomes a node that is proven when the issue is closed; only edges between chosen issues are kept. */
export function planFromIssues(repository: string, title: string, issues: readonly Issue[]): PlanDocument {
  const chosen = new Set(issues.map(({ number }) => number));
  return {
    plan: slugOf(title),
    title,
    repository,
    nodes: issues.map(({ number, title: issueTitle, body, labels, blockedBy }) => {
      const dependsOn = [...new Set(blockedBy)].filter((other) => other !== number && chosen.has(other)).map(idOf);
      return {
        id: idOf(number),
        title: issueTitle.slice(0, 500),
        ...(body ? { description: body.slice(0, 50_000) } : {}),
        ...(labels.length > 0 ? { labels: labels.map((label) => label.slice(0, 100)) } : {}),
        ...(dependsOn.length > 0 ? { dependsOn } : {}),
        binding: { kind: 'issue' as const, issue: `${repository}#${number}` },
      };
    }),
  };
}

function slugOf(title: string): string {
  const dashed = title.toLowerCase().replace(/[^a-z0-9._-]+/g, '-');
  const slug = trimEndOf(dashed.replace(/^[^a-z0-9]+/, ''), '-').slice(0, 100);
  return slug === '' || slug === 'ready' || slug === 'rescan' ? `plan-${slug || 'imported'}` : slug;
}
