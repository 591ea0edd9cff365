import { registerHooks } from 'node:module';
import { type PlantName, plants } from './plants.ts';

// Imported before a script as `--import plant.ts` with PLANT in the environment: the sources on disk stay unchanged,
// and the running program contains the planted bug. If the text is no longer there, this test is wrong.
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
