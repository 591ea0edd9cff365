// The service uses this file too, so that a run has the same identity from every publisher.

/** `git@github.com:acme/shop.git` and `https://token@github.com/acme/shop` are both `github.com/acme/shop`. */
export function remoteId(url: string): string | null {
  const [, host = '', path = ''] =
    /^(?:https?|ssh|git|git\+ssh):\/\/(?:[^@/]*@)?([^:/]+)(?::\d+)?\/(.*)$/i.exec(url) ??
    /^(?:[^@/\\]*@)?([^:/\\]{2,}):(?!\/\/)(.*)$/.exec(url) ??
    [];
  const [plain = ''] = path.split(/[?#]/, 1);
  const name = plain
    .split('/')
    .filter(Boolean)
    .join('/')
    .replace(/\.git$/i, '');
  return host === '' || name === '' ? null : `${host.toLowerCase()}/${name}`;
}

/** The folder of the suite's package: packages of one repository may share a name, but not a folder. */
export const withPath = (id: string | null, path: string): string | null =>
  id === null || path === '' || path.startsWith('..') ? id : `${id}#${path.replaceAll('\\', '/')}`;
