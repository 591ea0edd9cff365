import type { SourcePlace } from 'signalbox/browser/failure';

export const editors = {
  vscode: 'VS Code',
  cursor: 'Cursor',
  idea: 'IntelliJ IDEA',
  zed: 'Zed',
  windsurf: 'Windsurf',
} as const;
export type Editor = keyof typeof editors;

export const isEditor = (text: string): text is Editor => text in editors;

/** The address that opens a place in an editor on this machine. `root` is the folder of the repository. */
export function editorAddress(editor: Editor, root: string, { file, line, column }: SourcePlace): string {
  const path = absolute(root, file);
  const encoded = path.split('/').map(encodeURIComponent).join('/').replaceAll('%3A', ':');
  if (editor === 'idea') return `idea://open?file=${encodeURIComponent(path)}&line=${line}&column=${column ?? 1}`;
  return `${editor}://file${encoded.startsWith('/') ? '' : '/'}${encoded}:${line}:${column ?? 1}`;
}

const absolute = (root: string, file: string): string =>
  file.startsWith('/') || /^[A-Za-z]:[\\/]/.test(file) ? file : `${root.replace(/[\\/]$/, '')}/${file}`;
