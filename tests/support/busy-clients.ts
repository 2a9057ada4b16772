import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { codeOf } from '@azimuth/device/documents';

/** Counts of clients that have sent requests until the server stopped. */
export interface BusyClients {
  /** Requests that got a response. */
  readonly served: number;
  /** Answers that say that the request was not served: HTTP 500 and above. */
  readonly refused: number;
  /** The codes of errors other than that nobody listens: a request was sent, and nobody knows what it has done. */
  readonly broken: readonly string[];
}

/**
 * Runs clients that keep their connections and send one request after the other until the server stops. Every second
 * client writes.
 * @param urls each client has one of them
 * @param after so many answers, `begun` is called
 */
export async function busyClients(
  count: number,
  urls: readonly string[],
  after: number,
  begun: () => void,
): Promise<BusyClients> {
  let [served, refused] = [0, 0];
  const broken: string[] = [];
  const client = async (number: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const url = urls[number % urls.length] ?? '';
    try {
      for (;;) {
        const status = await ask(agent, url, number % 2 === 0);
        if (status >= 500) refused++;
        if (++served === after) begun();
      }
    } catch (error) {
      if (codeOf(error) !== 'ECONNREFUSED') broken.push(codeOf(error) ?? String(error));
    } finally {
      agent.destroy();
    }
  };
  await Promise.all(Array.from({ length: count }, (_, number) => client(number)));
  return { served, refused, broken };
}

async function ask(agent: Agent, url: string, isWrite: boolean): Promise<number> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(url, { agent, method: isWrite ? 'POST' : 'GET' })
      .once('response', resolve)
      .once('error', reject)
      .end(isWrite ? '{}' : undefined);
  });
  await text(response);
  return response.statusCode ?? 0;
}
