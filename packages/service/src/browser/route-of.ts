import type { Rest } from '../kernel/command.ts';
import type { Route } from './rest-request.ts';

/** The part of a command's REST entry that clients need. */
export const routeOf = ({ method, path, query, body, accepts, responseTypes, alternateResponse }: Rest): Route => ({
  method,
  path,
  ...(query && method !== 'GET' && { query }),
  ...(body !== undefined && { body }),
  ...(accepts?.[0] !== undefined && { textType: accepts[0] }),
  ...(responseTypes && { document: true }),
  ...(alternateResponse && { also: alternateResponse.status }),
});
