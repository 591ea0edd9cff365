import { z } from 'zod';

/** The Event Model as its console sends it; coordination passes it on and reads only its outline. */
export const modelView = z
  .looseObject({
    name: z.string(),
    slices: z.array(z.looseObject({ name: z.string() })),
    links: z.array(z.looseObject({})),
    sources: z.array(z.looseObject({ source: z.string(), pushedAt: z.string(), slices: z.int() })),
  })
  .meta({ id: 'EventModel' });
export type ModelView = z.output<typeof modelView>;

export const sliceCoverageView = z
  .looseObject({
    model: z.string(),
    summary: z.object({
      slices: z.int(),
      verified: z.int(),
      failing: z.int(),
      noEvidence: z.int(),
      noSpec: z.int(),
    }),
    slices: z.array(z.looseObject({ name: z.string() })),
    drift: z.looseObject({ undeclared: z.array(z.looseObject({})), untouched: z.array(z.looseObject({})) }),
  })
  .meta({ id: 'SliceCoverage' });
export type SliceCoverage = z.output<typeof sliceCoverageView>;

export const narrowing = {
  slice: z.string().optional(),
  domain: z.string().optional(),
  chapter: z.string().optional(),
};
export type Narrowing = { slice?: string | undefined; domain?: string | undefined; chapter?: string | undefined };
