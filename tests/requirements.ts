import { conventions } from './requirements/conventions.ts';
import { errors } from './requirements/errors.ts';
import { workLoop } from './requirements/work-loop.ts';

/** Every rule of the interface document and of the contract, one observable behaviour each. */
export const requirements = [...conventions, ...errors, ...workLoop] as const;

export type RequirementId = (typeof requirements)[number]['id'];
