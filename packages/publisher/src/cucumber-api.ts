// The parts of the Cucumber messages that the publisher uses.
export type Duration = { seconds: number; nanos: number };
export type Row = { cells: readonly { value: string }[] };
export type Argument = { docString?: { content: string }; dataTable?: { rows: readonly Row[] } };
export type Pickle = {
  id: string;
  uri: string;
  name: string;
  astNodeIds: readonly string[];
  steps: readonly PickleStep[];
  tags?: readonly { name: string }[];
};
export type PickleStep = { id: string; text: string; type?: string; argument?: Argument };
export type Hook = {
  id: string;
  name?: string;
  type?: string;
  sourceReference?: { uri?: string; location?: Position };
};
export type Position = { line: number; column?: number };
export type TestStep = { id: string; pickleStepId?: string; hookId?: string };
export type StepResult = {
  status: string;
  message?: string;
  duration: Duration;
  exception?: { type: string; message?: string; stackTrace?: string };
};
export type Located = { id: string; location: Position };
export type Scenario = Located & { examples?: readonly { tableBody?: readonly Located[] }[] };
export type Child = { scenario?: Scenario; rule?: { children: readonly Child[] } };
export type Envelope = {
  gherkinDocument?: { uri: string; feature?: { name: string; children: readonly Child[] } };
  pickle?: Pickle;
  testRunStarted?: object;
  testCase?: { id: string; pickleId: string; testSteps: readonly TestStep[] };
  testCaseStarted?: { id: string; testCaseId: string; attempt: number; workerId?: string };
  testStepStarted?: { testCaseStartedId: string; testStepId: string };
  testStepFinished?: { testCaseStartedId: string; testStepId: string; testStepResult: StepResult };
  hook?: Hook;
  testRunHookStarted?: { id: string; hookId: string };
  testRunHookFinished?: { testRunHookStartedId: string; result: StepResult };
  attachment?: {
    testCaseStartedId?: string;
    body: string;
    mediaType: string;
    contentEncoding?: string;
    fileName?: string;
  };
  testCaseFinished?: { testCaseStartedId: string; willBeRetried: boolean };
  testRunFinished?: { success: boolean };
};
