export type Requirement<Id extends string = string> = {
  readonly id: Id;
  readonly source: string;
  readonly says: string;
};

/** The rules of one section of the documents, id to observable behaviour. The ids stay literal types. */
export function rules<const Says extends Record<string, string>>(source: string, sentences: Says) {
  const entries = Object.entries(sentences).map(([id, says]) => ({ id, source, says }));
  return entries as readonly Requirement<keyof Says & string>[];
}
