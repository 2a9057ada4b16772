import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ControlCommand,
  type ControlQuery,
  ControlRefused,
  type Controls,
  checkMembers,
  type Given,
} from '@azimuth/device/control';
import { Bodies, BodyBrokenOff, BodyRefused, type HostAndPort, respondJson } from '@azimuth/http';
import { AlreadyRefused, isObject } from '@azimuth/model';
import type { ListenerRegistry } from '../network/listening-address.js';
import { controlOpenApi } from './control-openapi.js';
import { bodiesTogether, defaultMostBytes, largeBodiesTogether } from './limits.js';

/** Commands and queries, by name. */
interface Offered {
  readonly commands: ReadonlyMap<string, ControlCommand>;
  readonly queries: ReadonlyMap<string, ControlQuery>;
  readonly largeBodies: Bodies;
}

/**
 * Control of actions that a real device does not have: power cuts, time travel, changes of the simulation. JSON over
 * HTTP: POST of a command and GET of a query. It has no login: the listeners that use it check the clients.
 */
export class ControlInterface {
  readonly #controls: () => Controls;
  readonly #registry: ListenerRegistry;
  readonly #bodies = new Bodies(defaultMostBytes, bodiesTogether * defaultMostBytes);
  #offered: Offered | undefined;

  /** @param controls called when the interface opens @param listeners for the overview */
  constructor(controls: () => Controls, listeners: ListenerRegistry) {
    this.#controls = controls;
    this.#registry = listeners;
  }

  open(): void {
    const controls = this.#controls();
    const commands = Object.keys(controls.commands);
    const largest = Math.max(0, ...Object.values(controls.commands).map(({ mostBytes = 0 }) => mostBytes));
    const asked = queriesOf(controls);
    const overview = async () => ({
      ...(await asked.get('')?.(new Map())),
      ...this.#listeners,
      commands,
    });
    const openApi = async () => controlOpenApi(controls);
    this.#offered = {
      commands: new Map(Object.entries(controls.commands)),
      queries: new Map([...asked, ['', overview], ['openapi.json', openApi]]),
      largeBodies: new Bodies(largest, largeBodiesTogether * largest),
    };
  }

  get isOpen(): boolean {
    return this.#offered !== undefined;
  }

  /** @param name of the command or the query; empty for the overview */
  async respond(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const query = request.method === 'GET' ? this.#offered?.queries.get(name) : undefined;
      const command = request.method === 'POST' ? this.#offered?.commands.get(name) : undefined;
      if (query !== undefined) {
        request.resume();
        respondJson(response, 200, await query(parametersOf(request)));
      } else if (command !== undefined) {
        const result = await this.#command(name, command, request);
        respondJson(response, 200, { ok: true, ...result });
      } else {
        respondJson(response, 404, { error: this.#expected });
      }
    } catch (error) {
      if (error instanceof BodyBrokenOff || error instanceof AlreadyRefused) return;
      const refused = error instanceof ControlRefused || error instanceof BodyRefused;
      respondJson(response, refused ? 400 : 500, {
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  async #command(name: string, command: ControlCommand, request: IncomingMessage): Promise<object> {
    const { mostBytes } = command;
    const large = mostBytes === undefined ? undefined : this.#offered?.largeBodies;
    const body = await (large ?? this.#bodies).read(request, undefined, mostBytes);
    const given = objectIn(body);
    checkMembers(given, name, command);
    const result = await command.act(given);
    return isObject(result) ? result : {};
  }

  /** Addresses of the listeners of the scanner; null for a listener that is closed. */
  get #listeners(): Readonly<Record<string, HostAndPort | null>> {
    const names = ['http', 'https', 'legacyA', 'legacyB'] as const;
    return Object.fromEntries(names.map((name) => [name, this.#registry.of(name) ?? null]));
  }

  get #expected(): string {
    const { commands = new Map(), queries = new Map() } = this.#offered ?? {};
    const paths = (names: ReadonlyMap<string, unknown>) =>
      [...names.keys()].map((name) => `/${name}`).join(', ');
    return `unknown command. POST: ${paths(commands)}; GET: ${paths(queries)}`;
  }
}

function queriesOf({ queries }: Controls): ReadonlyMap<string, ControlQuery> {
  return new Map(
    Object.entries(queries).map(([name, query]) => [name, typeof query === 'function' ? query : query.ask]),
  );
}

/** Returns the parameters in the URL of a request; of several with one name, the last one. */
function parametersOf({ url = '' }: IncomingMessage): ReadonlyMap<string, string> {
  const [, query = ''] = /\?(.*)$/s.exec(url) ?? [];
  return new Map(new URLSearchParams(query));
}

function objectIn(body: Buffer): Given {
  const text = body.toString('utf8').trim();
  if (text === '') return {};
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json)) return json;
  } catch {
    // Refused below, as any other JSON that is not an object.
  }
  throw new ControlRefused('expected a JSON object');
}
