import { routesOpenToStrangers } from '../../attacks/strangers.ts';
import { start } from '../../start.ts';

// Exit code 1 if a page of another origin gets access anywhere.
await using service = await start();
const wrong = await routesOpenToStrangers(service);
process.stdout.write(`${wrong.length} let in\n${wrong[0] ?? ''}\n`);
process.exitCode = wrong.length === 0 ? 0 : 1;
