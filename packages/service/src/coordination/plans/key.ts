/** Names keep their case, but are compared without it. */
export const keyOf = (text: string): string => text.toLowerCase();
