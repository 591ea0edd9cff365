/** How many values there are in it, itself included; one more than `most` for all that have more. */
export function valuesIn(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    count += valuesIn(inner, most - count);
    if (count > most) return most + 1;
  }
  return count;
}
