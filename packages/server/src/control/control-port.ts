import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type ControlCommand,
  type ControlQuery,
  ControlRefused,
  type Controls,
  type Given,
  type UnexpectedErrors,
} from '@azimuth/device';
import { isObject } from '@azimuth/model';
import { countOf, HostAndOrigin } from '../http/admission.js';
import { Bodies, BodyBrokenOff, BodyRefused } from '../http/bodies.js';
import { replyJson } from '../http/reply.js';
import { listen } from '../network/listen.js';
import { containErrors } from '../network/sockets.js';
import { bodiesTogether, largeBodiesTogether, usuallyMostBytes } from './limits.js';

interface ControlPortOptions {
  readonly controls: Controls;
  /** The listeners of the scanner, for the overview. */
  readonly listeners: () => object;
  /** Host names that are allowed in addition to the standard ones. */
  readonly allowedHosts: readonly string[];
  /** Called for each request that is refused for its Host or Origin. */
  readonly refused: (reason: 'host' | 'origin') => void;
  readonly errors: UnexpectedErrors;
}

/** A refusal, with its HTTP status. */
interface Objection {
  readonly status: number;
  readonly counted: 'host' | 'origin';
  readonly why: string;
}

/** It has no login, so pages must not reach it through a browser. */
const noPages = 'web pages cannot use the control port, not even with --allowed-origin';

/**
 * Control of what a real device does not offer: power cuts, time travel, the world around it. JSON over HTTP, `POST
 * /<command>` and `GET /<query>`, on loopback only, and only if enabled.
 */
export class ControlPort {
  readonly #commands: ReadonlyMap<string, ControlCommand>;
  readonly #queries: ReadonlyMap<string, ControlQuery>;
  readonly #bodies = new Bodies(usuallyMostBytes, bodiesTogether * usuallyMostBytes);
  readonly #largeBodies: Bodies;
  readonly #hostAndOrigin: HostAndOrigin;
  readonly #refused: (reason: 'host' | 'origin') => void;
  readonly #errors: UnexpectedErrors;
  #server: Server | undefined;

  constructor({ controls, listeners, allowedHosts, refused, errors }: ControlPortOptions) {
    this.#errors = errors;
    this.#commands = new Map(Object.entries(controls.commands));
    const commands = [...this.#commands.keys()];
    const largest = Math.max(0, ...Object.values(controls.commands).map(({ mostBytes = 0 }) => mostBytes));
    this.#largeBodies = new Bodies(largest, largeBodiesTogether * largest);
    const overview = async () => ({ ...(await controls.queries['']?.()), ...listeners(), commands });
    this.#queries = new Map(Object.entries({ ...controls.queries, '': overview }));
    this.#hostAndOrigin = new HostAndOrigin({ hosts: allowedHosts });
    this.#refused = refused;
  }

  /** Opens the port and returns its number. */
  async open(port: number): Promise<number> {
    // Node would refuse a request without Host with an empty body.
    const server = createServer({ requireHostHeader: false }, (request, response) =>
      this.#errors.contain(
        'control',
        () => this.#answer(request, response),
        () => response.destroy(),
      ),
    );
    this.#server = containErrors(server, (error) => this.#errors.report('control', error));
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
      const objection = this.#objectionTo(request);
      if (objection !== undefined) {
        const { status, counted, why } = objection;
        this.#refused(counted);
        request.resume();
        replyJson(response, status, { error: why });
        return;
      }
      const query = request.method === 'GET' ? this.#queries.get(name) : undefined;
      const command = request.method === 'POST' ? this.#commands.get(name) : undefined;
      if (query !== undefined) replyJson(response, 200, await query());
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

  /** A page in a browser may post to loopback. */
  #objectionTo(request: IncomingMessage): Objection | undefined {
    if (countOf(request.rawHeaders, 'host') !== 1) {
      return { status: 400, counted: 'host', why: 'expected exactly one header Host' };
    }
    const refused = this.#hostAndOrigin.refusalOf(request);
    if (refused === undefined) return undefined;
    const { counted, why } = refused;
    return { status: 403, counted, why: counted === 'origin' ? noPages : why };
  }

  async #command(name: string, command: ControlCommand, request: IncomingMessage): Promise<void> {
    const { mostBytes } = command;
    const body = await (mostBytes === undefined
      ? this.#bodies.read(request)
      : this.#largeBodies.read(request, undefined, mostBytes));
    const given = objectIn(body);
    checkMembers(given, name, command);
    await command.act(given);
  }

  get #expected(): string {
    const commands = [...this.#commands.keys()].map((name) => `/${name}`);
    const queries = [...this.#queries.keys()].map((name) => `/${name}`);
    return `unknown command. POST: ${commands.join(', ')}; GET: ${queries.join(', ')}`;
  }
}

/** @throws ControlRefused for a member that the command does not know */
function checkMembers(given: Given, name: string, { takes }: ControlCommand): void {
  if (takes === undefined) return;
  const stranger = Object.keys(given).find((member) => !takes.includes(member));
  if (stranger === undefined) return;
  const known = takes.length === 0 ? 'no members' : takes.map((member) => `"${member}"`).join(', ');
  throw new ControlRefused(`${name} takes ${known}, not "${stranger}"`);
}

function objectIn(body: Buffer): Given {
  const text = body.toString('utf8').trim();
  if (text === '') return {};
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json)) return json;
  } catch {
    // Reported below, as for any other JSON that is not an object.
  }
  throw new ControlRefused('expected a JSON object');
}
