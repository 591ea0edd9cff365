import { z } from 'zod';
import type { EventIn } from '../../kernel/event-log.ts';
import { packageName, suiteName } from './contract.ts';

const repository = { owner: z.string(), name: z.string() };
const packages = z.array(packageName).readonly().exactOptional();

/** Events about a repository. */
export const repositoryEvents = {
  version: 1,
  types: {
    repository_registered: z.object({
      ...repository,
      description: z.string().nullable(),
      url: z.string().nullable(),
      defaultBranch: z.string().nullable(),
      paths: z.array(z.string()).readonly(),
    }),
    repository_declared: z.object({
      ...repository,
      publishes: packages,
      consumes: packages,
      suites: z.array(suiteName).readonly().exactOptional(),
      maxClaims: z.int().nullable().exactOptional(),
    }),
    note_added: z.object({
      ...repository,
      id: z.string(),
      topic: z.string().nullable(),
      text: z.string(),
      supersedes: z.string().nullable(),
    }),
  },
};
export type RepositoryEvent = EventIn<typeof repositoryEvents>;
