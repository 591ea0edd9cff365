import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { coordinationCommands } from '../coordination/registry.ts';
import type { AnyCommand } from '../kernel/command.ts';
import { unwrap } from '../kernel/shape.ts';
import { createClient, urlOption } from './client.ts';
import { restRequest } from './rest-request.ts';

/** One word for each command of the registry, under its own name, with an option for each member of its input. */
export function addRegistryCommands(program: Command): void {
  for (const command of coordinationCommands as readonly AnyCommand<never>[]) {
    if (!command.rest) continue;
    const word = program.command(command.name).description(command.says).helpGroup('Calls (REST, answer as JSON):');
    for (const [member, schema] of Object.entries(command.input.shape as Record<string, z.ZodType>))
      addOption(word, member, schema);
    word.option(...urlOption);
    word.action(async ({ url, ...options }: Record<string, unknown> & { url?: string }) => {
      const { method, path, body, mediaType } = restRequest(command, options);
      const answer = await createClient(url).json(method, path, body, mediaType);
      process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
    });
  }
}

function addOption(word: Command, member: string, schema: z.ZodType): void {
  const type = unwrap(schema);
  const text = schema.description ?? '';
  const required = !schema.safeParse(undefined).success;
  const flag = `--${member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (type instanceof z.ZodBoolean) return void word.option(flag, text);
  const add = (syntax: string, read: (text: string, before: unknown) => unknown) =>
    required ? word.requiredOption(syntax, text, read) : word.option(syntax, text, read);
  if (type instanceof z.ZodString || type instanceof z.ZodEnum) add(`${flag} <text>`, (value) => value);
  else if (type instanceof z.ZodNumber) add(`${flag} <number>`, readNumber);
  else if (type instanceof z.ZodArray && unwrap(type.element) instanceof z.ZodString) {
    add(`${flag} <text>`, (value, before) => [...((before as string[] | undefined) ?? []), value]);
  } else add(`${flag} <json>`, readJson);
}

function readNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('It must be a number.');
  return value;
}

/** JSON itself, or `@file` with JSON in it. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text);
  } catch (error) {
    throw new InvalidArgumentError(`It must be JSON, or @file with JSON in it: ${(error as Error).message}.`);
  }
}
