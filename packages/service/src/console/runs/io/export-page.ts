import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportPage } from '../export-html.ts';

/** The built page of an exported run, read when it is first asked for; null if the web is not built. */
export function exportPageIn(webFolder: string): () => Promise<ExportPage | null> {
  let read: Promise<ExportPage | null> | undefined;
  return () => {
    read ??= readPage(join(webFolder, 'export')).catch(() => {
      read = undefined;
      return null;
    });
    return read;
  };
}

async function readPage(folder: string): Promise<ExportPage> {
  const [built, style] = await Promise.all([
    readFile(join(folder, 'run.js'), 'utf8'),
    readFile(join(folder, 'run.css'), 'utf8'),
  ]);
  // The browser would end the script here and interpret the rest as HTML.
  const script = built.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const scriptHash = createHash('sha256').update(script).digest('base64');
  return { script, scriptHash, style, base64: (bytes) => Buffer.from(bytes).toString('base64') };
}
