import { type RestRequest, type Route, restRequest } from './rest-request.ts';

/** A map of calls: command name to input and output. */
type Calls = Record<string, { input: object; output: unknown }>;

export type RestResponse = { status: number; text: string };

export type Call<Api extends Calls, Options = never> = <Name extends keyof Api & string>(
  name: Name,
  input: Api[Name]['input'],
  options?: Options,
) => Promise<Api[Name]['output']>;

type Transport<Options> = {
  send(request: RestRequest, options: Options | undefined): Promise<RestResponse>;
  /** The error to throw for an answer that is a refusal. */
  refused(response: RestResponse): Error;
  /** Writes a name into a path. */
  part?: (name: string) => string;
};

/** One function for all calls of a port, typed by the map of its commands. */
export function callOver<Api extends Calls, Options = never>(
  routes: Readonly<Record<keyof Api & string, Route>>,
  { send, refused, part }: Transport<Options>,
): Call<Api, Options> {
  return async (name, input, options) => {
    const route = routes[name];
    const response = await send(restRequest(route, input, part), options);
    const isAnswer = (response.status >= 200 && response.status < 300) || response.status === route.also;
    if (!isAnswer) throw refused(response);
    return route.document ? response.text : JSON.parse(response.text || '{}');
  };
}
