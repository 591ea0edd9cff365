import type { AnyCommand } from './command.ts';
import { type Refusal, refuse } from './outcome.ts';

export type LicenceGate = 'workLoop' | 'record' | 'off';
export type LicenceState = 'valid' | 'missing' | 'invalid' | 'expired';
/** What is known of the licence right now. */
export type Licence = { state: LicenceState; edition: string | null; expiresAt: string | null; holder: string | null };

export type Transport = 'rest' | 'mcp' | 'socket' | 'direct';

export function isGated(
  command: Pick<AnyCommand<never>, 'gate' | 'effect' | 'rest'>,
  mode: LicenceGate,
  transport: Transport,
): boolean {
  if (mode === 'off' || command.gate === 'never') return false;
  if (command.gate === 'workLoop') return true;
  if (mode !== 'record') return false;
  // On a socket a command is called as REST would call it, if that could.
  const isTool = transport === 'mcp' || (transport === 'socket' && !command.rest);
  return isTool || (command.effect === 'write' && command.gate === 'record');
}

const refusalTexts = {
  missing: ['licence_required', 'This call needs a licence, but none is set.'],
  invalid: ['licence_invalid', 'The licence was not signed by the expected key, or it cannot be read.'],
  expired: ['licence_expired', 'The licence has expired.'],
} as const;

/** The refusal (402) of every gated call, the same over REST and MCP. */
export function refuseLicence({ state, edition, expiresAt }: Licence): Refusal | undefined {
  if (state === 'valid') return undefined;
  const [code, what] = refusalTexts[state];
  return refuse(
    code,
    `${what} Set Service:Licence to a valid licence, or remove that key to use the community licence.`,
    {
      licence: { state, edition, expiresAt },
    },
  );
}
