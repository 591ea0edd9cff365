import { mocha } from '../frameworks/mocha.ts';
import { tellsTheTruth } from '../frameworks/tells-the-truth.ts';

tellsTheTruth(mocha);
