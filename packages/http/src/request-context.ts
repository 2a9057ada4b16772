import type { IncomingMessage } from 'node:http';
import type { Connection } from './connection.js';

/**
 * A request on its way through the ports of this process, with what they have found out about it. A port that hands the request
 * over to another one hands over its context.
 */
export class RequestContext {
  readonly request: IncomingMessage;
  /** Its requests are answered in order, whichever port of this process answers them. */
  readonly connection: Connection;
  /**
   * Has a gateway that knows the key of the deployment sent it? Then it counts as one of a program on this computer. Gateways tell by
   * themselves, with X-Forwarded-For, whether it has come to them from elsewhere.
   */
  isVouched = false;
  /** Has it come to a port behind a proxy? Then it counts as one from elsewhere. */
  isBehindProxy = false;

  constructor(request: IncomingMessage, connection: Connection) {
    this.request = request;
    this.connection = connection;
  }

  /**
   * The body of this request may take longer than others: its receiver enforces a minimum rate. Node reports an overdue
   * request only once.
   */
  allowLong(): void {
    this.connection.mayTakeLong = true;
  }
}
