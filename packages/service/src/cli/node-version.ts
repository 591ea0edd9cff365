/** The oldest Node that has SQLite without a flag; an older one would end with a stack trace about it. */
const oldest = { major: 22, minor: 13 };

/** The message for an older Node; undefined if this one is new enough. */
export function tooOld(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return undefined;
  return `Signalbox needs Node ${oldest.major}.${oldest.minor} or later, and this is ${version}. A checkout includes its own Node: run npm start, or npm run signalbox -- <command>.`;
}
