import type { z } from 'zod';
import type { AnyCommand } from '../packages/service/src/kernel/command.ts';
import { type DispatchContext, dispatch } from '../packages/service/src/kernel/dispatch.ts';
import type { Refusal } from '../packages/service/src/kernel/outcome.ts';

type Named<Commands extends readonly AnyCommand<never>[], Name extends string> = Extract<
  Commands[number],
  { name: Name }
>;

/** Calls the commands of a registry by name in this process, through the same checks as every transport. */
export function callInProcess<Ctx extends DispatchContext, const Commands extends readonly AnyCommand<Ctx>[]>(
  commands: Commands,
  ctx: Ctx,
) {
  const byName = new Map<string, AnyCommand<Ctx>>(commands.map((command) => [command.name, command]));
  return async <Name extends Commands[number]['name']>(
    name: Name,
    input: z.input<Named<Commands, Name>['input']>,
    key?: string,
  ): Promise<z.output<Named<Commands, Name>['output']> | Refusal> => {
    const command = byName.get(name);
    if (!command) throw new Error(`no command ${name}`);
    // The map from names to commands holds every type at once; what this name answers stands in its own output schema.
    return (await dispatch(command, ctx, input, { transport: 'direct', key })) as z.output<
      Named<Commands, Name>['output']
    >;
  };
}
