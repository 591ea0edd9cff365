import { parentPort, workerData } from 'node:worker_threads';
import { documentFrom } from '../document-input.ts';
import { readFileText } from '../plan-text.ts';
import type { Reading } from './plan-texts.ts';

const { text, paths } = workerData as Reading;
parentPort?.postMessage(paths ? readFileText(text, paths) : documentFrom(text));
