import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage } from '../kernel/error-code.ts';
import { backUp } from './backup.ts';

const { source, target, at } = workerData;
const failure = await backUp(source, target, at).then(() => null, errorMessage);
parentPort?.postMessage(failure);
