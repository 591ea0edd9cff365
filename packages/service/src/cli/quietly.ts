/** What `read` returns, or `otherwise` if it fails: a file that cannot be read is like one that is missing. */
export function quietly<Found, Otherwise>(read: () => Found, otherwise: Otherwise): Found | Otherwise {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
