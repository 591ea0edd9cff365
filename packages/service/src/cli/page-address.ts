/** The page's URL of a node, a plan or a run. `packages/web/src/paths.ts` has all URLs of the page. */
export const pageAddress = {
  start: '/',
  node: (plan: string, node: string): string => `/plans/${encodeURIComponent(plan)}?node=${encodeURIComponent(node)}`,
  plan: (plan: string): string => `/plans/${encodeURIComponent(plan)}`,
  run: (runId: string): string => `/runs/${encodeURIComponent(runId)}`,
} as const;
