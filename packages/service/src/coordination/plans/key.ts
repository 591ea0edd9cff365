/** Names keep their case and are compared ignoring case. */
export const keyOf = (text: string): string => text.toLowerCase();
