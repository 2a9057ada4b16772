import type { ServerResponse } from 'node:http';
import type { Clock } from '@azimuth/device';
import type { RequestFault, ResponseFault } from '@azimuth/device/faults';
import { pathOf, type RequestContext, reset } from '@azimuth/http';
import { Refusal, type Status, simulationPath, statuses } from '@azimuth/model';
import type { Serve } from '../rest/rest-interface.js';
import { slowDown, swallow, truncate } from './faulty-responses.js';

/** A request that gets a planned refusal, or no response, in place of being carried out. */
export interface UnservedRequest {
  refuse(refusal: Refusal, httpStatus: number): void;
  /** Refuses as too many requests, with HTTP 429. `Retry-After` is set already. */
  refuseAsTooMany(refusal: Refusal): void;
  /** Called if there is no response. */
  unanswered(reason: string): void;
}

interface Options {
  readonly clock: Clock;
  /** Returns the fault of a request; undefined if it has none. Each call is an occasion. */
  readonly faultOf: (path: string, method: string) => RequestFault | undefined;
  readonly unserved: (path: string, context: RequestContext, response: ServerResponse) => UnservedRequest;
  /** Responds to a request without a fault. */
  readonly serve: Serve;
}

/** The reason of a refusal, for people and in journals. */
const planned = 'a fault was planned for this request';

/**
 * Serves requests with their planned faults. Requests to the simulation have no faults, so that they can end a plan.
 */
export class FaultyRequests {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  readonly serve: Serve = (context, response) => {
    const { request } = context;
    const path = pathOf(request.url ?? '');
    const isSimulation = path === simulationPath || path.startsWith(`${simulationPath}/`);
    const fault = isSimulation ? undefined : this.#options.faultOf(path, request.method ?? '');
    if (fault === undefined) {
      this.#options.serve(context, response);
      return;
    }
    const { latency, response: responseFault } = fault;
    if (latency === 0) {
      this.#respond(responseFault, path, context, response);
      return;
    }
    const release = context.hold(() => this.#respond(responseFault, path, context, response));
    const cancel = this.#options.clock.after(latency, release);
    response.once('close', cancel);
  };

  #respond(
    fault: ResponseFault | undefined,
    path: string,
    context: RequestContext,
    response: ServerResponse,
  ): void {
    const { request } = context;
    const { serve, unserved, clock } = this.#options;
    switch (fault?.kind) {
      case 'status':
        request.resume();
        unserved(path, context, response).refuse(
          new Refusal(statusOf(fault.status), '', planned),
          fault.httpStatus,
        );
        return;
      case 'busy':
        request.resume();
        response.setHeader('Retry-After', fault.retryAfter);
        unserved(path, context, response).refuseAsTooMany(new Refusal('outOfConnections', '', planned));
        return;
      case 'reset':
        if (!fault.handled) {
          request.resume();
          unserved(path, context, response).unanswered(planned);
          reset(request.socket);
          return;
        }
        swallow(response, () => reset(request.socket));
        break;
      case 'unanswered':
        if (!fault.handled) {
          request.resume();
          unserved(path, context, response).unanswered(planned);
          // Never released: later requests of the connection wait, too.
          context.hold();
          return;
        }
        swallow(response, () => undefined);
        break;
      case 'truncated':
        truncate(response, fault.bytes);
        break;
      case 'slow':
        slowDown(response, fault.rate, clock);
        break;
      case undefined:
        break;
    }
    serve(context, response);
  }
}

const names = new Map<number, Status>();
for (const name of Object.keys(statuses)) {
  if (isStatus(name)) names.set(statuses[name].code, name);
}

function isStatus(name: string): name is Status {
  return Object.hasOwn(statuses, name);
}

function statusOf(code: number): Status {
  return names.get(code) ?? 'internalServerError';
}
