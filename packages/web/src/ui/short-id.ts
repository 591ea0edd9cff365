/** The beginning of a long id; one that a person chose is shown whole. */
export const shortId = (id: string): string => (id.length > 12 ? id.slice(0, 8) : id);
