import { parentPort, workerData } from 'node:worker_threads';
import { documentFrom } from '../document-input.ts';
import { readFileText } from '../plan-text.ts';
import type { TextToRead } from './plan-texts.ts';

const { text, paths } = workerData as TextToRead;
parentPort?.postMessage(paths ? readFileText(text, paths) : documentFrom(text));
