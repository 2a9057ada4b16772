import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isObject } from '@azimuth/model';
import { Bodies, BodyBrokenOff, BodyRefused } from '../http/bodies.js';
import { listen } from '../http/listen.js';
import { replyJson } from '../http/reply.js';

/** What a command is given. */
export type Given = Readonly<Record<string, unknown>>;

/** A command of the control port. */
export interface Command {
  /** The members that it knows. */
  readonly takes: readonly string[];
  /** Checks what it is given and does it. Throws {@link ControlRefused}. */
  readonly act: (given: Given) => void | Promise<void>;
}

/** What was given to a command makes no sense. */
export class ControlRefused extends Error {
  override readonly name = 'ControlRefused';
}

const largestBody = 64 * 1024;
const largestTogether = 64 * largestBody;

/**
 * What no device has: power cuts, time travel, the world around it. JSON over HTTP, `POST /<command>`, on loopback
 * only, and only where it is asked for.
 */
export class ControlPort {
  readonly #commands: ReadonlyMap<string, Command>;
  readonly #state: () => Given;
  readonly #bodies = new Bodies(largestBody, largestTogether);
  #server: Server | undefined;

  constructor(commands: ReadonlyMap<string, Command>, state: () => Given) {
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
    const [path = ''] = (request.url ?? '').split('?', 1);
    const name = path.slice(1);
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
      const given = objectIn(await this.#bodies.read(request));
      checkMembers(given, name, command);
      await command.act(given);
      replyJson(response, 200, { ok: true });
    } catch (error) {
      if (error instanceof BodyBrokenOff) return;
      const refused = error instanceof ControlRefused || error instanceof BodyRefused;
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

function objectIn(body: Buffer): Given {
  const text = body.toString('utf8').trim();
  if (text === '') return {};
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json)) return json;
  } catch {
    // Said below, as for any other JSON than an object.
  }
  throw new ControlRefused('a JSON object expected');
}

function checkMembers(given: Given, name: string, { takes }: Command): void {
  const stranger = Object.keys(given).find((member) => !takes.includes(member));
  if (stranger === undefined) return;
  const known = takes.length === 0 ? 'no members' : takes.map((member) => `"${member}"`).join(', ');
  throw new ControlRefused(`${name} takes ${known}, not "${stranger}"`);
}
