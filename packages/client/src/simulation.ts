import { isObject, simulationPath } from '@azimuth/model';
import type { Connection } from './connection.js';
import { AnswerError, ClientError } from './errors.js';

/** The scanner refused a command of the simulation; nothing was changed. */
export class SimulationError extends ClientError {
  override readonly name = 'SimulationError';

  constructor(command: string, reason: string) {
    super(`${command}: ${reason}`);
  }
}

/**
 * The simulation of a virtual scanner that was started with a control port. Only programs and browsers on the computer
 * of the scanner can use it. Commands and responses: docs/simulation.md.
 */
export class Simulation {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** True if the simulation of this scanner can be controlled from here. @throws UnreachableError */
  async isAvailable(): Promise<boolean> {
    const { httpStatus, text } = await this.#connection.send(simulationPath, { method: 'GET' });
    return httpStatus === 200 && isObject(jsonIn(text)?.measuring);
  }

  /**
   * Reads a document: `scene`, or the overview for an empty name.
   * @throws SimulationError, AnswerError, UnreachableError
   */
  read(name = ''): Promise<Readonly<Record<string, unknown>>> {
    return this.#request(name, { method: 'GET' });
  }

  /**
   * Carries out a command, for example `temperature` with `{ celsius: 60 }`.
   * @throws SimulationError, AnswerError, UnreachableError
   */
  async command(name: string, body: object = {}): Promise<void> {
    const headers = { 'Content-Type': 'application/json' };
    await this.#request(name, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #request(
    name: string,
    request: Parameters<Connection['send']>[1],
  ): Promise<Readonly<Record<string, unknown>>> {
    const path = name === '' ? simulationPath : `${simulationPath}/${name}`;
    const { httpStatus, text } = await this.#connection.send(path, request);
    const json = jsonIn(text);
    if (httpStatus === 200 && json !== undefined && json.header === undefined) return json;
    if (typeof json?.error === 'string') throw new SimulationError(name, json.error);
    throw new AnswerError(this.#connection.url, path, 'without a simulation');
  }
}

function jsonIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
