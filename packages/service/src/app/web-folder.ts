import { publishedFolder } from '../files/package-folder.ts';

/** The built web. */
export const webFolder: string = publishedFolder('web', 'packages/web/dist');
