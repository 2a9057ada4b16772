import type { ServerResponse } from 'node:http';
import { policyHeader, ResponseWithPolicy } from './responses.js';

/** Gives the response of a request that is handed over to others this policy. */
export function setPolicy(response: ServerResponse, policy: string): void {
  if (response instanceof ResponseWithPolicy) response.policy = policy;
  else response.setHeader(policyHeader, policy);
}
