import { registerHooks } from 'node:module';
import { type PlantName, plants } from './plants.ts';

// Imported before a script as `--import plant.ts` with PLANT in the environment: the sources on the disk stay as they are,
// the program that runs has the mistake in it. A text that is no longer there is a mistake of this test.
const name = process.env.PLANT as PlantName | undefined;
if (name) {
  const { file, from, to } = plants[name];
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(`/packages/service/src/${file}`)) return loaded;
      const source = String(loaded.source);
      if (!source.includes(from)) throw new Error(`${file} no longer has: ${from}`);
      return { ...loaded, source: source.replace(from, to) };
    },
  });
}
