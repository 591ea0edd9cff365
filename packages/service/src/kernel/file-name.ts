/** Devices of Windows: a file of such a name, whatever its ending, cannot be made there, nor on a drive that it shares. */
const device = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** Whether a name of letters, digits, `.`, `_` and `-` is a file's on every system. Windows drops a dot at the end. */
export const isFileName = (name: string): boolean => !device.test(name) && !name.endsWith('.');
