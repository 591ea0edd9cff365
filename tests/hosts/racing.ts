import { Agent, request } from 'node:http';

export type ClaimAnswer = { node: string; agent: string; status: number; fence: number | null; heldBy: string | null };

const retryMs = 20;

/** One host's clients. They claim over kept-alive connections and retry until they get a yes or no. */
export function clientsOf(host: string, url: () => string, count: number) {
  const wire = new Agent({ keepAlive: true, maxSockets: count });
  const claim = async (node: string, agent: string): Promise<ClaimAnswer> => {
    for (;;) {
      const answer = await ask(wire, `${url()}/api/plans/race/nodes/${node}/claim`, { agent, leaseMinutes: 1440 });
      if (answer && (answer.status === 200 || answer.status === 409)) {
        const { fence = null, heldBy = null } = answer.body as Partial<ClaimAnswer>;
        return { node, agent, status: answer.status, fence, heldBy };
      }
      if (answer && answer.status !== 503) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  };
  return {
    race: (node: string) => Promise.all(Array.from({ length: count }, (_, client) => claim(node, `${host}-${client}`))),
    close: () => wire.destroy(),
  };
}

/** Undefined if the connection broke, because nothing was answered then. */
function ask(agent: Agent, url: string, body: object): Promise<{ status: number; body: unknown } | null> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('error', () => resolve(null));
      response.on('end', () =>
        resolve(response.complete ? { status: response.statusCode ?? 0, body: JSON.parse(text) } : null),
      );
    });
    sent.on('error', () => resolve(null));
    sent.end(JSON.stringify(body));
  });
}
