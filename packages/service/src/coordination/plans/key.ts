/** Names keep their case and are compared without it. */
export const keyOf = (text: string): string => text.toLowerCase();
