import type { LastClaim } from '../../live/wire.ts';
import { formatNumber } from '../../ui/format-count.ts';

type Tokens = NonNullable<LastClaim['tokens']>;

/** `12.4 k`, `1.2 M` */
export const shortTokens = (count: number): string =>
  count >= 999_500
    ? `${formatNumber(count / 1_000_000, 1)} M`
    : count >= 1_000
      ? `${formatNumber(count / 1_000, count >= 100_000 ? 0 : 1)} k`
      : String(count);

/** "12.4 k in, 310 k cached, 2.1 k out" */
export const tokenText = ({ input, cached, output }: Tokens): string =>
  `${shortTokens(input)} in, ${shortTokens(cached)} cached, ${shortTokens(output)} out`;

export const tokenSum = ({ input, cached, output }: Tokens): number => input + cached + output;
