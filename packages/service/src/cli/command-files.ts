import type { Command } from 'commander';

/** The commands that each file adds. Loading all files takes half a second, so each is loaded only when needed. */
export type CommandFile = {
  words: readonly string[];
  /** The heading of the help that lists them. */
  group: string;
  load: () => Promise<(program: Command, addAll: AddAll) => void>;
};

/** Adds every command, at least by name; completion needs all of them. */
export type AddAll = (program: Command) => Promise<void>;

const work = 'Work:';
const testRuns = 'Test runs:';
const setUp = 'Set up:';
const administer = 'Administer:';

export const commandFiles: readonly CommandFile[] = [
  { words: ['status'], group: work, load: async () => (await import('./status-command.ts')).addStatus },
  {
    words: ['ready', 'next', 'claim', 'report', 'submit', 'release', 'reset', 'why', 'done'],
    group: work,
    load: async () => (await import('./work-commands.ts')).addWork,
  },
  { words: ['plans'], group: work, load: async () => (await import('./plans-command.ts')).addPlans },
  { words: ['simulate'], group: work, load: async () => (await import('./simulate-command.ts')).addSimulate },
  { words: ['today', 'activity'], group: work, load: async () => (await import('./today-command.ts')).addToday },
  { words: ['agents'], group: work, load: async () => (await import('./agents-command.ts')).addAgents },
  { words: ['overlaps'], group: work, load: async () => (await import('./overlaps-command.ts')).addOverlaps },
  { words: ['notify'], group: work, load: async () => (await import('./notify-command.ts')).addNotify },
  { words: ['top'], group: work, load: async () => (await import('./top-command.ts')).addTop },
  { words: ['prompt'], group: work, load: async () => (await import('./prompt-command.ts')).addPrompt },
  {
    words: ['login', 'logout', 'whoami'],
    group: setUp,
    load: async () => (await import('./sign-in-command.ts')).addSignIn,
  },
  { words: ['observe'], group: setUp, load: async () => (await import('./observe-command.ts')).addObserve },
  { words: ['open'], group: work, load: async () => (await import('./open-command.ts')).addOpen },
  { words: ['runs'], group: testRuns, load: async () => (await import('./runs-command.ts')).addRuns },
  { words: ['summary'], group: testRuns, load: async () => (await import('./summary-command.ts')).addSummary },
  { words: ['tests'], group: testRuns, load: async () => (await import('./tests-command.ts')).addTests },
  { words: ['run'], group: testRuns, load: async () => (await import('./run-command.ts')).addRun },
  { words: ['import'], group: testRuns, load: async () => (await import('./import-command.ts')).addImport },
  {
    words: ['event-model'],
    group: testRuns,
    load: async () => (await import('./event-model-command.ts')).addEventModel,
  },
  { words: ['watch'], group: testRuns, load: async () => (await import('./watch-command.ts')).addWatch },
  { words: ['start', 'console'], group: setUp, load: async () => (await import('./start-command.ts')).addStart },
  { words: ['demo'], group: setUp, load: async () => (await import('./demo-command.ts')).addDemo },
  { words: ['connect'], group: setUp, load: async () => (await import('./connect-command.ts')).addConnect },
  { words: ['doctor'], group: setUp, load: async () => (await import('./doctor-command.ts')).addDoctor },
  { words: ['service'], group: setUp, load: async () => (await import('./service-command.ts')).addService },
  { words: ['upgrade'], group: setUp, load: async () => (await import('./upgrade-command.ts')).addUpgrade },
  { words: ['completion'], group: setUp, load: async () => (await import('./completion-command.ts')).addCompletion },
  { words: ['tokens'], group: administer, load: async () => (await import('./tokens-command.ts')).addTokens },
  { words: ['audit'], group: administer, load: async () => (await import('./audit-command.ts')).addAudit },
  { words: ['webhooks'], group: administer, load: async () => (await import('./webhooks-command.ts')).addWebhooks },
  { words: ['backup'], group: administer, load: async () => (await import('./backup-command.ts')).addBackup },
  { words: ['restore'], group: administer, load: async () => (await import('./restore-command.ts')).addRestore },
  { words: ['recover'], group: administer, load: async () => (await import('./recover-command.ts')).addRecover },
  {
    words: ['migrate-store'],
    group: administer,
    load: async () => (await import('./migrate-store-command.ts')).addMigrateStore,
  },
  { words: ['snapshot'], group: administer, load: async () => (await import('./snapshot-command.ts')).addSnapshot },
  { words: ['licence'], group: administer, load: async () => (await import('./licence-command.ts')).addLicence },
];

/** Adds a file's commands under its heading. */
export async function addCommands(program: Command, { group, load }: CommandFile, addAll: AddAll): Promise<void> {
  const before = program.commands.length;
  (await load())(program, addAll);
  for (const command of program.commands.slice(before)) command.helpGroup(group);
}

/** One command for each entry of the registry, under its own name. */
export async function addCalls(program: Command): Promise<void> {
  (await import('./registry-commands.ts')).addRegistryCommands(program);
}
