import { publishedFolder } from '../files/package-folder.ts';

/** The built page. */
export const webFolder: string = publishedFolder('web', 'packages/web/dist');
