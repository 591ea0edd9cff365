import type { PackageName, SuiteName } from './contract.ts';

type Happened<Type extends string, Data> = { type: Type; data: { owner: string; name: string } & Data };

/** The stream is `repository:<owner>/<name>`. */
export type RepositoryEvent =
  | Happened<
      'repository_registered',
      { description: string | null; url: string | null; defaultBranch: string | null; paths: readonly string[] }
    >
  | Happened<
      'repository_declared',
      { publishes?: readonly PackageName[]; consumes?: readonly PackageName[]; suites?: readonly SuiteName[] }
    >
  | Happened<'note_added', { id: string; topic: string | null; text: string; supersedes: string | null }>;
