type Size = { width: number; height: number };

export const zooms = [0.25, 0.4, 0.55, 0.7, 0.85, 1, 1.25, 1.5, 2];

/** The texts of a board, of 13 and 11 pixels, can be read from this zoom on. */
const readable = 0.85;
const smallest = 0.05;

/**
 * The size of the drawn board: the zoom in the address, otherwise the zoom at which all lanes fit the height and texts
 * stay readable. `fit` shows all slices.
 */
export function boardZoom(asked: string | null, board: Size, room: Size): number {
  if (zooms.includes(Number(asked))) return Number(asked);
  const [wide, high] = [room.width / board.width, room.height / board.height];
  if (asked === 'fit') return Math.max(smallest, Math.min(1, wide, high));
  return Math.max(readable, Math.min(1, high));
}

/** The next zoom level in a direction; a fitted zoom is between two levels. */
export const nextZoom = (zoom: number, larger: boolean): number =>
  (larger ? zooms.find((one) => one > zoom + 0.001) : zooms.findLast((one) => one < zoom - 0.001)) ?? zoom;
