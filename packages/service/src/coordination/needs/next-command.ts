import type { Session, Tree } from '../agents/contract.ts';
import { toolNamed } from '../agents/tools/tools.ts';

/** Commands that a person runs; nothing here runs them. */
const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Continues a session in the directory where it was started; null for a tool that cannot. */
export function resumeCommand(session: Pick<Session, 'tool' | 'sessionId' | 'cwd' | 'launchCwd'>): string | null {
  const resume = toolNamed(session.tool)?.resume?.(quote(session.sessionId));
  const directory = session.launchCwd ?? session.cwd;
  if (!resume) return null;
  return directory === null ? resume : `cd ${quote(directory)} && ${resume}`;
}

/** Shows the tmux pane in which a process runs, from any other pane on its host. */
export const paneCommand = (pid: number): string =>
  `tmux switch-client -t "$(tmux list-panes -aF '#{pane_tty} #{pane_id}' | awk -v tty="/dev/$(ps -o tty= -p ${pid} | tr -d ' ')" '$1 == tty { print $2 }')"`;

export const directoryCommand = (directory: string): string => `cd ${quote(directory)}`;

/** Removes a worktree. Git itself refuses while there are uncommitted changes, but removes ignored files without asking. */
export function cleanupCommand({ root, mainRoot }: Pick<Tree, 'root' | 'mainRoot'>): string {
  return mainRoot ? `git -C ${quote(mainRoot)} worktree remove ${quote(root)}` : `rm -r ${quote(root)}`;
}

/** Shows uncommitted, ignored and unpushed work in a worktree, before it is removed. */
export const unsavedCommand = ({ root }: Pick<Tree, 'root'>): string =>
  `git -C ${quote(root)} status --short --branch --ignored && git -C ${quote(root)} log --oneline HEAD --not --remotes`;
