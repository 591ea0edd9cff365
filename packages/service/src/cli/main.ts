#!/usr/bin/env node
import { Command } from 'commander';
import { version } from '../app/version.ts';
import { addStart } from './start.ts';

const program = new Command('signalbox')
  .description('The signal box for coding agents: plans, claims, sessions and test runs in one place.')
  .version(version)
  .showHelpAfterError();

addStart(program);
await program.parseAsync();
