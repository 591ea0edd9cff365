// What a scenario and its steps may have besides their verdicts.

export type StepProgress = {
  message: string | null;
  row: number | null;
  totalRows: number | null;
  elapsedMs: number | null;
};

export type StepDetails = {
  columns?: readonly string[];
  logs?: readonly string[];
  diagnostics?: Readonly<Record<string, string | null>>;
  exceptionType?: string;
  stackTrace?: string;
  stackFrames?: readonly string[];
  hiddenStackFrames?: number;
  values?: readonly { start?: number | null; length?: number | null }[];
  declaredStepNumber?: number;
  plannedStepNumber?: number;
  parentStepNumber?: number;
};

export type Written = {
  file: string | null;
  line: number | null;
  column: number | null;
  project: string | null;
  path: readonly string[] | null;
  order: number | null;
  tags: readonly string[];
};

export type AttachmentEntry = {
  attempt: number;
  name: string;
  mediaType: string;
  size: number;
  sha256: string;
  /** Whether its content can be read. */
  stored: boolean;
  reason: string | null;
};
