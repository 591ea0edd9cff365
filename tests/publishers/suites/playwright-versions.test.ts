import { playwright } from '../frameworks/playwright.ts';
import { tellsTheTruth } from '../frameworks/tells-the-truth.ts';

tellsTheTruth(playwright);
