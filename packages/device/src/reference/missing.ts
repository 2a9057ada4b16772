import { allParameters, type Endpoint, type Variable } from '@azimuth/model';
import type { Feature } from '../feature.js';

/** What of a scanner has nothing behind it yet. */
export interface Missing {
  /** Variables that tell their default, and methods that answer status 3. */
  readonly unbuilt: readonly Endpoint[];
  /** Parameters that are kept, and have no effect yet. */
  readonly unheeded: readonly Variable<unknown>[];
}

interface Served {
  /** What is served, by name, aliases included. */
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly parameters: { has(variable: Variable<unknown>): boolean };
  readonly features: readonly Feature[];
}

/** Looks for a feature behind everything that is served. */
export function missingOf({ endpoints, parameters, features }: Served): Missing {
  const computed = features.flatMap((feature) => feature.computed ?? []);
  const behind = new Set<Endpoint>([
    ...computed.map(({ variable }) => variable),
    ...features.flatMap(({ methods = [] }) => methods.map(({ method }) => method)),
  ]);
  const heeded = new Set([
    ...features.flatMap(({ heeds = [] }) => heeds),
    ...computed.flatMap(({ from }) => from),
  ]);
  const isBuilt = (endpoint: Endpoint) =>
    behind.has(endpoint) || (endpoint.kind === 'variable' && endpoint.stored);
  return {
    unbuilt: [...new Set(endpoints.values())].filter((endpoint) => !isBuilt(endpoint)),
    unheeded: allParameters.filter((variable) => parameters.has(variable) && !heeded.has(variable)),
  };
}
