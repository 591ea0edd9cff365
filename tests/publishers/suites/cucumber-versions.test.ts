import { cucumber } from '../frameworks/cucumber.ts';
import { tellsTheTruth } from '../frameworks/tells-the-truth.ts';

tellsTheTruth(cucumber);
