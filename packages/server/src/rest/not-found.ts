import { type Endpoint, Fault } from '@azimuth/model';

interface Request {
  /** The name that was requested. */
  readonly name: string;
  readonly verb: string;
  /** The endpoint of this name, if it exists: then the verb is wrong. */
  readonly endpoint: Endpoint | undefined;
  /** The path in front of the name. */
  readonly path: string;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
}

/** Status 5 for a request that no endpoint serves. Its detail says what is wrong with the name or the verb. */
export function notFound({ name, verb, endpoint, path, endpoints }: Request): Fault {
  if (endpoint !== undefined) return new Fault('notFound', '', wrongVerb(name, verb, endpoint));
  if (name === '') return new Fault('notFound', '', `the path has no name after ${path}`);
  return new Fault('notFound', '', missing(name, endpoints.keys()));
}

/** The detail for a name that does not exist, with the name that differs only in case, if there is one. */
function missing(name: string, names: Iterable<string>): string {
  const text = `there is no variable, method or file named ${name.slice(0, 80)}`;
  const lowerCase = name.toLowerCase();
  for (const known of names) {
    if (known.length === name.length && known.toLowerCase() === lowerCase)
      return `${text}; did you mean ${known}?`;
  }
  return text;
}

function wrongVerb(name: string, verb: string, endpoint: Endpoint): string {
  return `${name} is a ${endpoint.kind}: ${endpoint.kind === 'method' ? 'POST' : 'GET and POST'} only, not ${verb}`;
}
