import type { ServerResponse } from 'node:http';
import type { Device } from '@azimuth/device';
import type { Faults, ResponseFault } from '@azimuth/device/faults';
import type { Journal } from '@azimuth/device/journal';
import { pathOf, type RequestContext, refuse, reset, type Traffic } from '@azimuth/http';
import { Refusal, type Status, simulationPath, statuses } from '@azimuth/model';
import { Exchange, restPath, type Serve } from '../rest/rest-interface.js';
import { slowDown, swallow, truncate } from './faulty-responses.js';

interface Options {
  readonly device: Device;
  readonly traffic: Traffic;
  readonly faults: Faults;
  readonly journal: Journal | undefined;
  /** Responds to a request without a fault. */
  readonly serve: Serve;
}

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
    const { faults, serve } = this.#options;
    if (faults.http === undefined) serve(context, response);
    else this.#serve(faults.http, context, response);
  };

  #serve(http: NonNullable<Faults['http']>, context: RequestContext, response: ServerResponse): void {
    const { request } = context;
    const path = pathOf(request.url ?? '');
    const isSimulation = path === simulationPath || path.startsWith(`${simulationPath}/`);
    const fault = isSimulation ? undefined : http.of(path, request.method ?? '');
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
    const cancel = this.#options.device.clock.after(latency, release);
    response.once('close', cancel);
  }

  #respond(
    fault: ResponseFault | undefined,
    path: string,
    context: RequestContext,
    response: ServerResponse,
  ): void {
    const { request } = context;
    const { traffic, serve } = this.#options;
    switch (fault?.kind) {
      case 'status': {
        request.resume();
        this.#exchange(path, request, response).refuse(
          new Refusal(statusOf(fault.status), '', planned),
          fault.httpStatus,
        );
        return;
      }
      case 'busy':
        request.resume();
        traffic.countRefusal('rate');
        response.setHeader('Retry-After', fault.retryAfter);
        this.#exchange(path, request, response).note?.answered(statuses.outOfConnections.code, planned);
        refuse(response, new Refusal('outOfConnections', '', planned), 429);
        return;
      case 'reset':
        if (!fault.handled) {
          request.resume();
          this.#exchange(path, request, response).note?.answered(undefined, planned);
          reset(request.socket);
          return;
        }
        swallow(response, () => reset(request.socket));
        break;
      case 'unanswered':
        if (!fault.handled) {
          request.resume();
          this.#exchange(path, request, response).note?.answered(undefined, planned);
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
        slowDown(response, fault.rate, this.#options.device.clock);
        break;
      case undefined:
        break;
    }
    serve(context, response);
  }

  #exchange(path: string, request: RequestContext['request'], response: ServerResponse): Exchange {
    const name = path.startsWith(restPath) ? path.slice(restPath.length) : path.slice(1);
    return new Exchange(this.#options, name, request, response);
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
