import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isObject } from '@azimuth/model';
import { listen } from '../http/listen.js';
import { replyJson } from '../http/reply.js';

/** A command of the control port: checks what it is given and does it. Throws {@link ControlRefused}. */
export type Command = (given: Readonly<Record<string, unknown>>) => void | Promise<void>;

/** What was given to a command makes no sense. */
export class ControlRefused extends Error {
  override readonly name = 'ControlRefused';
}

const largestBody = 64 * 1024;

/**
 * What no device has: power cuts, time travel, the world around it. JSON over HTTP, `POST /<command>`, on loopback
 * only, and only where it is asked for.
 */
export class ControlPort {
  readonly #commands: ReadonlyMap<string, Command>;
  readonly #state: () => Readonly<Record<string, unknown>>;
  #server: Server | undefined;

  constructor(commands: ReadonlyMap<string, Command>, state: () => Readonly<Record<string, unknown>>) {
    this.#commands = commands;
    this.#state = state;
  }

  /** Opens the port and answers its number. */
  async open(port: number): Promise<number> {
    this.#server = createServer((request, response) => {
      void this.#answer(request, response);
    });
    return listen(this.#server, '127.0.0.1', port, '--control-port');
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = (request.url ?? '/').slice(1);
    try {
      if (!isLocal(request))
        throw new ControlRefused('only programs on this machine may use the control port');
      if (name === '' && request.method === 'GET') {
        replyJson(response, 200, { ...this.#state(), commands: [...this.#commands.keys()] });
        return;
      }
      const command = this.#commands.get(name);
      if (command === undefined || request.method !== 'POST') {
        request.resume();
        replyJson(response, 404, {
          error: `POST to one of ${[...this.#commands.keys()].join(', ')} expected`,
        });
        return;
      }
      await command(await readObject(request));
      replyJson(response, 200, { ok: true });
    } catch (error) {
      const refused = error instanceof ControlRefused;
      replyJson(response, refused ? 400 : 500, {
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }
}

/** A page in a browser may post to loopback: it is told by its Origin, or by a Host that is none of ours. */
function isLocal(request: IncomingMessage): boolean {
  const { host = '', origin } = request.headers;
  return origin === undefined && /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);
}

async function readObject(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    length += chunk.length;
    if (length <= largestBody) chunks.push(chunk);
  }
  if (length > largestBody) throw new ControlRefused(`at most ${largestBody} bytes expected`);
  const text = Buffer.concat(chunks).toString('utf8').trim();
  if (text === '') return {};
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json)) return json;
  } catch {
    // Said below, as for any other JSON than an object.
  }
  throw new ControlRefused('a JSON object expected');
}
