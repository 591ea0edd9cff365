/** Names keep their case and are told apart without it. */
export const keyOf = (text: string): string => text.toLowerCase();
