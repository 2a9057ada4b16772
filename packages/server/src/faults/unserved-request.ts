import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Device } from '@azimuth/device';
import type { Journal } from '@azimuth/device/journal';
import { refuse, type Traffic } from '@azimuth/http';
import { statuses } from '@azimuth/model';
import { Exchange, restPath } from '../rest/rest-interface.js';
import type { UnservedRequest } from './faulty-requests.js';

interface Facts {
  readonly device: Device;
  readonly traffic: Traffic;
  readonly journal: Journal | undefined;
}

/** Returns a request to a scanner that is not carried out, for its metrics and its journal. */
export function unservedRequest(
  facts: Facts,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): UnservedRequest {
  const name = path.startsWith(restPath) ? path.slice(restPath.length) : path.slice(1);
  const exchange = new Exchange(facts, name, request, response);
  return {
    refuse: (refusal, httpStatus) => exchange.refuse(refusal, httpStatus),
    refuseAsTooMany: (refusal) => {
      facts.traffic.countRefusal('rate');
      exchange.note?.answered(statuses.outOfConnections.code, refusal.reason);
      refuse(response, refusal, 429);
    },
    unanswered: (reason) => exchange.note?.answered(undefined, reason),
  };
}
