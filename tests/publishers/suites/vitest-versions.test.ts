import { tellsTheTruth } from '../frameworks/tells-the-truth.ts';
import { vitest } from '../frameworks/vitest.ts';

tellsTheTruth(vitest);
