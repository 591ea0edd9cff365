import { z } from 'zod';

export const priority = z.enum(['urgent', 'high', 'normal', 'low']);
export type Priority = z.output<typeof priority>;
