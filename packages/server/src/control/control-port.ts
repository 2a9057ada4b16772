import type { Server, ServerResponse } from 'node:http';
import type { UnexpectedErrors } from '@azimuth/device/reports';
import {
  Admission,
  type Closable,
  Connections,
  errorLineOf,
  type Head,
  HostAndOrigin,
  HttpPort,
  isFromThisComputer,
  listen,
  type RefusedRequest,
  type RequestContext,
  respondJson,
  type Traffic,
} from '@azimuth/http';
import { mostLocalConnections } from '@azimuth/http/limits';
import type { Wire } from '../wire.js';
import type { ControlInterface } from './control-interface.js';

interface ControlPortOptions {
  /** Port; 0 for any free one; undefined if only pages of the scanner use the control interface. */
  readonly port: number | undefined;
  /** Interface that the port serves; opened with it. */
  readonly control: ControlInterface;
  readonly traffic: Traffic;
  readonly errors: UnexpectedErrors;
}

const notLocal =
  'the control port is for programs on this computer: expected a loopback name as Host, such as 127.0.0.1, and no proxy on the way';

/** Refuses requests of foreign pages. The port has no login, so pages must not reach it through a browser. */
const noPages = 'web pages cannot use the control port, not even with --allowed-origin';

/** Opens the control interface, and a port of its own for it: on loopback only, and only if enabled. It outlives reboots. */
export class ControlPort implements Wire {
  readonly #options: ControlPortOptions;
  readonly #hostAndOrigin = new HostAndOrigin();
  #server: (Server & Closable) | undefined;
  #port: number | null = null;

  constructor(options: ControlPortOptions) {
    this.#options = options;
  }

  /** Port; null if it has none. */
  get port(): number | null {
    return this.#port;
  }

  /** @throws PortTaken */
  async open(): Promise<void> {
    const { port, control, traffic, errors } = this.#options;
    control.open();
    if (port === undefined) return;
    const connections = new Connections(mostLocalConnections, (error) => errors.report('control', error));
    const http = new HttpPort({
      ...{ errors, source: 'control', connections },
      admission: new Admission({
        check: (context, head) => this.#objectionTo(context, head),
        counts: traffic,
        respond: (response, { httpStatus, why }) => respondJson(response, httpStatus, { error: why }),
      }),
      serve: (context, response) => this.#serve(control, context, response),
      refusalBody: errorLineOf,
    });
    this.#server = http.listener();
    this.#port = await listen(this.#server, '127.0.0.1', port, '--control-port');
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  #serve(control: ControlInterface, context: RequestContext, response: ServerResponse): void {
    const { request } = context;
    const [path = ''] = (request.url ?? '').split('?', 1);
    const respond = () => control.respond(path.slice(1), request, response);
    context.respondInTurn(response, () =>
      this.#options.errors.contain('control', respond, () => response.destroy()),
    );
  }

  /**
   * Refuses requests of pages and proxies: a page in a browser may post to loopback, and a proxy on this computer
   * forwards requests of others.
   */
  #objectionTo(context: RequestContext, head: Head): RefusedRequest | undefined {
    if (head.hosts !== 1)
      return { httpStatus: 400, counted: 'host', why: 'expected exactly one header Host' };
    const refused = this.#hostAndOrigin.refusalOf(context.request, head);
    if (refused?.counted === 'origin') return { httpStatus: 403, counted: 'origin', why: noPages };
    return isFromThisComputer(context) ? undefined : { httpStatus: 403, counted: 'host', why: notLocal };
  }
}
