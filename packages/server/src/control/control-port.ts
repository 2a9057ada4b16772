import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isObject } from '@azimuth/model';
import { Bodies, BodyBrokenOff, BodyRefused } from '../http/bodies.js';
import { listen } from '../http/listen.js';
import { replyJson } from '../http/reply.js';
import { type Command, ControlRefused, checkMembers, type Given, type View } from './command.js';

const kibibyte = 1024;
const largestBody = 64 * kibibyte;
/** As a scene file. */
const largestScene = 8 * kibibyte * kibibyte;

/**
 * What no device has: power cuts, time travel, the world around it. JSON over HTTP, `POST /<command>` and
 * `GET /<view>`, on loopback only, and only where it is asked for.
 */
export class ControlPort {
  readonly #commands: ReadonlyMap<string, Command>;
  readonly #views: ReadonlyMap<string, View>;
  readonly #bodies = new Bodies(largestBody, 64 * largestBody);
  readonly #largeBodies = new Bodies(largestScene, 4 * largestScene);
  #server: Server | undefined;

  constructor(commands: ReadonlyMap<string, Command>, views: ReadonlyMap<string, View>) {
    this.#commands = commands;
    this.#views = views;
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
      const view = request.method === 'GET' ? this.#views.get(name) : undefined;
      const command = request.method === 'POST' ? this.#commands.get(name) : undefined;
      if (view !== undefined) replyJson(response, 200, await view());
      else if (command !== undefined) {
        await this.#command(name, command, request);
        replyJson(response, 200, { ok: true });
      } else {
        request.resume();
        replyJson(response, 404, { error: this.#expected });
      }
    } catch (error) {
      if (error instanceof BodyBrokenOff) return;
      const refused = error instanceof ControlRefused || error instanceof BodyRefused;
      replyJson(response, refused ? 400 : 500, {
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  async #command(name: string, command: Command, request: IncomingMessage): Promise<void> {
    const bodies = command.large === true ? this.#largeBodies : this.#bodies;
    const given = objectIn(await bodies.read(request));
    checkMembers(given, name, command);
    await command.act(given);
  }

  get #expected(): string {
    const views = [...this.#views.keys()].map((name) => `/${name}`);
    return `POST to one of ${[...this.#commands.keys()].join(', ')} expected, or GET of ${views.join(' or ')}`;
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
