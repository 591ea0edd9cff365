import type { CommandLine } from './command-line.ts';
import { isWsl } from './wsl.ts';

type Env = Readonly<Record<string, string | undefined>>;
export type Notification = { title: string; text: string };

/** The program that shows a desktop notification; untrusted text is passed as arguments, never as code. */
export const linuxNotifier = ({ title, text }: Notification, env: Env): CommandLine =>
  isWsl(env)
    ? windowsNotifier({ title, text })
    : { program: 'notify-send', args: ['--app-name=Signalbox', '--', title, text] };

export const macNotifier = ({ title, text }: Notification): CommandLine => ({
  program: 'osascript',
  args: [
    ...['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run'].flatMap(
      (line) => ['-e', line],
    ),
    '--',
    title,
    text,
  ],
});

/** A toast. PowerShell reads its program as one encoded word, in which a single quote is the only special character of a text. */
export function windowsNotifier({ title, text }: Notification): CommandLine {
  const quoted = (words: string) => `'${words.replaceAll(/['\u2018\u2019\u201a\u201b]/g, "''")}'`;
  const program = [
    '[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]',
    '$toast = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent(1)',
    `$texts = $toast.GetElementsByTagName('text')`,
    `[void]$texts.Item(0).AppendChild($toast.CreateTextNode(${quoted(title)}))`,
    `[void]$texts.Item(1).AppendChild($toast.CreateTextNode(${quoted(text)}))`,
    `[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier('Signalbox').Show($toast)`,
  ].join('\n');
  const encoded = Buffer.from(program, 'utf16le').toString('base64');
  return { program: 'powershell.exe', args: ['-NoProfile', '-NonInteractive', '-EncodedCommand', encoded] };
}
