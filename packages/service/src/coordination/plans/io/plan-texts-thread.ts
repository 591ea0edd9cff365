import { parentPort, workerData } from 'node:worker_threads';
import { documentFrom } from '../document-input.ts';

parentPort?.postMessage(documentFrom(workerData as string));
