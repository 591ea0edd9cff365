import { behavesLikeAPublisher, killed } from './behaves-like-a-publisher.ts';
import { binOf } from './project.ts';

const run = [binOf('@cucumber/cucumber/bin/cucumber.js'), '--format', 'progress'];
const told = [...run, '--plugin', 'signalbox-publisher/cucumber'];

const steps = {
  'features/steps.js': `
    import { Given } from '@cucumber/cucumber';
    import { touched } from 'signalbox-publisher';
    let times = 0;
    Given('nothing', () => touched('Shop.Cart'));
    Given('a failure', function () { this.log('printed'); throw new Error('broken'); });
    Given('a second try', () => { if (++times < 2) throw new Error('not yet'); });
    Given('a skip', () => 'skipped');
    Given('a long wait', { timeout: 150_000 }, () => new Promise((resolve) => setTimeout(resolve, 120_000)));
    Given('a death', async () => { ${killed} });`,
};
const feature = (scenarios: Record<string, string>) => ({
  ...steps,
  'features/cart.feature': `Feature: Cart\n${Object.entries(scenarios)
    .map(([name, step]) => `${name === 'flaky' ? '  @flaky\n' : ''}  Scenario: ${name}\n    Given ${step}\n`)
    .join('')}`,
});

behavesLikeAPublisher({
  name: 'Cucumber',
  packages: ['@cucumber/cucumber'],
  args: [...told, '--retry', '1', '--retry-tag-filter', '@flaky'],
  plainArgs: [...run, '--retry', '1', '--retry-tag-filter', '@flaky'],
  mixed: feature({ adds: 'nothing', breaks: 'a failure', flaky: 'a second try', later: 'a skip' }),
  passes: feature({ adds: 'nothing' }),
  hangs: feature({ hangs: 'a long wait' }),
  dies: feature({ adds: 'nothing', dies: 'a death', after: 'nothing' }),
  diesArgs: [...told, '--parallel', '1'],
  death: { victim: true, lost: 1 },
  hasRetries: true,
  prints: true,
});
