import type { Command } from 'commander';
import type { z } from 'zod';
import { type RestRequest, restRequest } from '../browser/rest-request.ts';
import { routeOf } from '../browser/route-of.ts';
import { coordinationCommands } from '../coordination/registry.ts';
import type { AnyCommand } from '../kernel/command.ts';
import { createClient, exitCodes, pathSegment, type RestClient, refused, urlOption } from './client.ts';
import { memberOption, readMembers } from './registry-options.ts';

/** One CLI command for each command of the registry, with an option for each member of its input. */
const commands: readonly AnyCommand<never>[] = coordinationCommands;

export function addRegistryCommands(program: Command): void {
  for (const command of commands) {
    if (!command.rest) continue;
    const route = routeOf(command.rest);
    const word = program
      .command(command.name)
      .description(command.description)
      .helpGroup('Commands that call the REST API and print JSON:');
    for (const [member, schema] of Object.entries<z.ZodType>(command.input.shape)) {
      const option = memberOption(member, schema);
      // Defaults to the name of the token; without a token the service reports that it is missing.
      word.addOption(member === 'agent' ? option.makeOptionMandatory(false) : option);
    }
    word.option(...urlOption);
    word.action(async ({ url, ...options }: Record<string, unknown> & { url?: string }) => {
      await print(createClient(url), restRequest(route, readMembers(options), pathSegment));
    });
  }
}

/** JSON is pretty-printed, a document is printed as it is. A claim lost to another holder is an answer, but exits with 1. */
async function print(client: RestClient, request: RestRequest): Promise<void> {
  const response = await client.send(request);
  const text = await response.text();
  const isJson = /^application\/json\b/.test(response.header('content-type') ?? '');
  if (!response.ok && !isJson) throw refused({ status: response.status, text });
  const shown = text === '' ? '{}' : isJson ? JSON.stringify(JSON.parse(text), null, 2) : text;
  process.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`);
  process.exitCode = response.ok ? exitCodes.done : exitCodes.refused;
}
