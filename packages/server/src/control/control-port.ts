import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { UnexpectedErrors } from '@azimuth/device';
import { HostAndOrigin, headOf } from '../http/admission.js';
import { replyJson } from '../http/reply.js';
import { listen } from '../network/listen.js';
import { containErrors } from '../network/sockets.js';
import type { ControlInterface } from './control-interface.js';

interface ControlPortOptions {
  readonly control: ControlInterface;
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

/** Serves the control interface at a port of its own, on loopback only, and only if enabled. */
export class ControlPort {
  readonly #control: ControlInterface;
  readonly #hostAndOrigin: HostAndOrigin;
  readonly #refused: (reason: 'host' | 'origin') => void;
  readonly #errors: UnexpectedErrors;
  #server: Server | undefined;

  constructor({ control, allowedHosts, refused, errors }: ControlPortOptions) {
    this.#control = control;
    this.#errors = errors;
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
    const objection = this.#objectionTo(request);
    if (objection !== undefined) {
      const { status, counted, why } = objection;
      this.#refused(counted);
      request.resume();
      replyJson(response, status, { error: why });
      return;
    }
    const [path = ''] = (request.url ?? '').split('?', 1);
    await this.#control.answer(path.slice(1), request, response);
  }

  /** A page in a browser may post to loopback. */
  #objectionTo(request: IncomingMessage): Objection | undefined {
    const head = headOf(request.rawHeaders);
    if (head.hosts !== 1) {
      return { status: 400, counted: 'host', why: 'expected exactly one header Host' };
    }
    const refused = this.#hostAndOrigin.refusalOf(request, head);
    if (refused === undefined) return undefined;
    const { counted, why } = refused;
    return { status: 403, counted, why: counted === 'origin' ? noPages : why };
  }
}
