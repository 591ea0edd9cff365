import { jest } from '../frameworks/jest.ts';
import { tellsTheTruth } from '../frameworks/tells-the-truth.ts';

tellsTheTruth(jest);
