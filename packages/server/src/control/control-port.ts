import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Controls, UnexpectedErrors } from '@azimuth/device';
import {
  containErrors,
  HostAndOrigin,
  headOf,
  httpListener,
  isFromThisComputer,
  listen,
  replyJson,
} from '@azimuth/http';
import type { Wire } from '../wire.js';
import { ControlInterface, type Listeners } from './control-interface.js';

interface ControlPortOptions {
  /** 0 for any free one; undefined if only pages of the scanner use the control interface. */
  readonly port: number | undefined;
  /** What it does and shows. Asked for when it opens. */
  readonly controls: () => Controls;
  /** Where the scanner listens, for the overview. */
  readonly listeners: Listeners;
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

const notLocal =
  'the control port is for programs on this computer: expected a loopback name as Host, such as 127.0.0.1, and no proxy on the way';

/** It has no login, so pages must not reach it through a browser. */
const noPages = 'web pages cannot use the control port, not even with --allowed-origin';

/** The control interface, and a port of its own for it: on loopback only, and only if enabled. It outlives reboots. */
export class ControlPort implements Wire {
  readonly #options: ControlPortOptions;
  readonly #hostAndOrigin = new HostAndOrigin();
  #control: ControlInterface | undefined;
  #server: Server | undefined;
  #port: number | null = null;

  constructor(options: ControlPortOptions) {
    this.#options = options;
  }

  /** What it serves; undefined before it is open. */
  get interface(): ControlInterface | undefined {
    return this.#control;
  }

  /** Null if it has none. */
  get port(): number | null {
    return this.#port;
  }

  /** @throws PortTaken */
  async open(): Promise<void> {
    const { port, controls, listeners, errors } = this.#options;
    const control = new ControlInterface(controls(), listeners);
    this.#control = control;
    if (port === undefined) return;
    const server = httpListener();
    server.on('request', (request, response) => {
      // Node would lose the bytes that follow a request for an upgrade that is not accepted.
      if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
      errors.contain(
        'control',
        () => this.#answer(control, request, response),
        () => response.destroy(),
      );
    });
    this.#server = containErrors(server, (error) => errors.report('control', error));
    this.#port = await listen(this.#server, '127.0.0.1', port, '--control-port');
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  async #answer(
    control: ControlInterface,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const objection = this.#objectionTo(request);
    if (objection !== undefined) {
      const { status, counted, why } = objection;
      this.#options.refused(counted);
      request.resume();
      replyJson(response, status, { error: why });
      return;
    }
    const [path = ''] = (request.url ?? '').split('?', 1);
    await control.answer(path.slice(1), request, response);
  }

  /** A page in a browser may post to loopback, and a proxy may have sent what comes from loopback. */
  #objectionTo(request: IncomingMessage): Objection | undefined {
    const head = headOf(request.rawHeaders);
    if (head.hosts !== 1) {
      return { status: 400, counted: 'host', why: 'expected exactly one header Host' };
    }
    const refused = this.#hostAndOrigin.refusalOf(request, head);
    if (refused?.counted === 'origin') return { status: 403, counted: 'origin', why: noPages };
    return isFromThisComputer(request) ? undefined : { status: 403, counted: 'host', why: notLocal };
  }
}
