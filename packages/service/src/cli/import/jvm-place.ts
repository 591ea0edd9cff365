/** Source folders of tests in the Maven and Gradle layout. */
export const jvmSources = ['java', 'kotlin', 'groovy', 'scala'].map((language) => `src/test/${language}`);

export const isJvmFile = (file: string): boolean => /\.(?:java|kt|groovy|scala)$/.test(file);

/**
 * The first frame of a stack that is in the class of the test: `at shop.CartTest.breaks(CartTest.java:7)`, as a file
 * below a source folder. A module or class loader with a slash may precede the class.
 */
export function jvmPlace(stack: string, className: string): { file: string; line: number } | null {
  for (const line of stack.split('\n').map((text) => text.trim())) {
    const open = line.lastIndexOf('(');
    if (!line.startsWith('at ') || open < 0 || !line.endsWith(')')) continue;
    const method = line.slice(line.lastIndexOf('/', open) + 1, open).replace(/^at /, '');
    const owner = method.slice(0, method.lastIndexOf('.'));
    const [name = '', number = ''] = line.slice(open + 1, -1).split(':');
    const isOwn = owner === className || owner.startsWith(`${className}$`);
    if (isOwn && isJvmFile(name) && Number(number) > 0)
      return { file: [...className.split('.').slice(0, -1), name].join('/'), line: Number(number) };
  }
  return null;
}
