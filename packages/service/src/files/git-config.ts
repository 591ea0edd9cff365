/** One `key = value` of a git configuration, with its section. */
export type GitSetting = { section: string; name: string | null; key: string; value: string };

export function parseGitConfig(text: string): GitSetting[] {
  const settings: GitSetting[] = [];
  let section = '';
  let name: string | null = null;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    const header = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (header) {
      section = (header[1] ?? '').toLowerCase();
      name = header[2]?.replace(/\\(.)/g, '$1') ?? null;
      continue;
    }
    const equals = line.indexOf('=');
    const key = line.slice(0, Math.max(equals, 0)).trimEnd();
    if (/^[A-Za-z][\w-]*$/.test(key))
      settings.push({ section, name, key: key.toLowerCase(), value: unquoted(line.slice(equals + 1).trimStart()) });
  }
  return settings;
}

function unquoted(value: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1');
  const comment = value.search(/\s[#;]/);
  return comment < 0 ? value : value.slice(0, comment).trimEnd();
}

/** The folder named in the `.git` file of a linked working tree; undefined for any other file. */
export function linkedGitFolder(text: string): string | undefined {
  const line = text.split(/\r?\n/).find((one) => one.startsWith('gitdir:'));
  return line?.slice('gitdir:'.length).trim() || undefined;
}

/** `owner/name` of the remote that a working tree follows. */
export function repositoryOf(settings: readonly GitSetting[], branch: string | null): string | null {
  const url = remoteOf(settings, branch);
  return url === undefined ? null : ownerName(url);
}

/** The address of the remote that a working tree follows: origin, else the branch's own, else the only one. */
export function remoteOf(settings: readonly GitSetting[], branch: string | null): string | undefined {
  const urls = new Map(
    settings.flatMap(({ section, name, key, value }) =>
      section === 'remote' && key === 'url' && name !== null ? [[name, value] as const] : [],
    ),
  );
  const trackedRemote = settings.find(
    (one) => one.section === 'branch' && one.name === branch && one.key === 'remote',
  )?.value;
  const [onlyUrl] = urls.size === 1 ? urls.values() : [];
  const url = urls.get('origin') ?? (trackedRemote === undefined ? undefined : urls.get(trackedRemote)) ?? onlyUrl;
  return url === undefined ? undefined : rewriteUrl(url, settings);
}

/** `url.<base>.insteadOf`: the longest matching prefix is replaced. */
function rewriteUrl(url: string, settings: readonly GitSetting[]): string {
  const rule = settings
    .filter((one) => one.section === 'url' && one.key === 'insteadof' && one.name !== null && url.startsWith(one.value))
    .sort((a, b) => b.value.length - a.value.length)[0];
  return rule ? `${rule.name}${url.slice(rule.value.length)}` : url;
}

/**
 * Reads `owner/name` out of every spelling of a remote; credentials, host and port are dropped. Deeper groups keep
 * their last two parts, so that a repository always has one owner and one name. A local path has no owner.
 */
export function ownerName(url: string): string | null {
  const path = pathOf(url.trim());
  if (path === null) return null;
  const parts = path.split(/[?#]/, 1)[0]?.split('/').filter(Boolean) ?? [];
  const azure = parts.indexOf('_git');
  if (azure > 0) return ownerAndName(parts[0], parts[azure + 1]);
  if (parts[0] === 'v3' && parts.length === 4) return ownerAndName(parts[1], parts[3]);
  return ownerAndName(parts.at(-2), parts.at(-1));
}

function pathOf(url: string): string | null {
  const withScheme = /^([a-z][a-z0-9+.-]*):\/\/[^/]*\/(.*)$/i.exec(url);
  if (withScheme)
    return /^(https?|ssh|git|git\+ssh|ssh\+git)$/i.test(withScheme[1] ?? '') ? (withScheme[2] ?? null) : null;
  const user = url.search(/[@/\\]/);
  const colon = url.indexOf(':', url[user] === '@' ? user : 0);
  // A single letter before the colon is a drive letter.
  if (colon < 2 || /[/\\]/.test(url.slice(0, colon)) || url.startsWith('//', colon + 1)) return null;
  return url.slice(colon + 1) || null;
}

const ownerAndName = (owner: string | undefined, name: string | undefined): string | null => {
  const bare = name?.replace(/\.git$/i, '');
  return owner && bare && isPlain(owner) && isPlain(bare) ? `${owner}/${bare}` : null;
};

const isPlain = (part: string) => /^[\w.~%-][\w.~% -]{0,99}$/.test(part);

/** The content of HEAD: a branch, 8 characters of the commit if detached, null for another file format. */
export function branchOfHead(head: string): string | null {
  const line = head.trim();
  const ref = /^ref:\s*refs\/heads\/(.+)$/.exec(line)?.[1];
  if (ref !== undefined) return ref === '.invalid' ? null : ref;
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(line) ? line.slice(0, 8) : null;
}
