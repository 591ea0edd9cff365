/** The running example as the browser plays it: the same steps as `signalbox demo`. */
export { type DemoStep, demoSteps } from '../coordination/work/demo-steps.ts';
