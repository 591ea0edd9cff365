import { nodeTest } from '../frameworks/node-test.ts';
import { tellsTheTruth } from '../frameworks/tells-the-truth.ts';

tellsTheTruth(nodeTest);
