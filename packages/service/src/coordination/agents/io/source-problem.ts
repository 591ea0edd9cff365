import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { errorCode } from '../../../kernel/error-code.ts';
import { platform } from '../../../platform/platform.ts';
import type { SourceStatus } from '../contract.ts';

export type SourceProblem = Pick<SourceStatus, 'ok' | 'detail'>;

export const isForbidden = (error: unknown): boolean => ['EACCES', 'EPERM'].includes(errorCode(error) ?? '');

/** States that a path cannot be read, and what to do about it. */
export const forbidden = (path: string): string => `${path} cannot be read: ${platform.howToPermit}`;

/** The detail of a directory that is not watched. */
export const polledOnly = 'polled every 4 s, because its file system does not report changes';

/** Why the files of a tool cannot be read; null if they can. A folder that never existed is not a problem: the tool is not used here. */
export async function sourceProblem(path: string, wasFound: boolean): Promise<SourceProblem | null> {
  try {
    const isFolder = (await stat(path)).isDirectory();
    await access(path, isFolder ? constants.R_OK | constants.X_OK : constants.R_OK);
    return null;
  } catch (error) {
    if (isForbidden(error)) return { ok: false, detail: forbidden(path) };
    return { ok: !wasFound, detail: 'directory not found' };
  }
}
