import { valuesOf } from '@azimuth/http';
import { isObject, statuses, statusMessage, type Variable } from '@azimuth/model';
import { jsonIn } from '../control/json-in.js';
import { nameIn } from '../control/without-secrets.js';
import type { RequestPassed, ResponsePassed } from '../timeline/timeline-entry.js';
import type { EditionSeen } from './edition-seen.js';
import { type Mismatch, mismatch, shownJson, typeMismatch } from './mismatch.js';

/** HTTP statuses of responses in the envelope: requests that are no valid HTTP, or too many, have their own. */
const httpStatuses: ReadonlySet<number> = new Set([200, 400, 403, 408, 413, 417, 429, 431, 505]);

const { ok, accessDenied, notFound, readOnly } = statuses;

/** Statuses that a read can have: it has no login and no payload. */
const ofReads: ReadonlySet<number> = new Set(
  [ok, statuses.parsingFailed, statuses.internalServerError, notFound, statuses.outOfConnections].map(
    ({ code }) => code,
  ),
);

const members = new Set(['header', 'data', 'challenge']);

/** What of a request decides which responses it can have. */
export interface CheckedRequest {
  readonly method: string;
  readonly path: string;
  /** True if it has the proof of a login. */
  readonly hasLogin: boolean;
}

export function checkedRequest({ method, path, body, unkept }: RequestPassed): CheckedRequest {
  const json = jsonIn(body);
  // A body that is not kept may have had a login.
  return { method, path, hasLogin: unkept !== undefined || (isObject(json) && json.header !== undefined) };
}

/**
 * Returns what of a response the interface does not have. Files, and paths outside of `/api/`, are not checked, because the
 * interface does not declare their content.
 */
export function responseMismatches(
  request: CheckedRequest,
  response: ResponsePassed,
  edition: EditionSeen,
): readonly Mismatch[] {
  const { status, headers, body } = response;
  const name = request.path.startsWith('/api/') ? nameIn(request.path) : undefined;
  const isJson = request.method === 'GET' || request.method === 'POST';
  if (
    name === undefined ||
    !isJson ||
    status === undefined ||
    edition.known.files.some((file) => file.name === name)
  )
    return [];
  if (response.isBrokenOff === true)
    return [mismatch('body', 'a complete body', `${body.length} bytes, then the end`)];
  if (!httpStatuses.has(status)) return [mismatch('HTTP status', '200', String(status))];
  // A page of another origin, or a host that is not allowed, gets text.
  if (status === 403) return [];
  if (response.unkept !== undefined)
    return [mismatch('body', 'up to 1 MiB of JSON', `${response.unkept.length} bytes`)];
  const [type = ''] = valuesOf(headers, 'content-type');
  const wrongType = /^application\/json\b/i.test(type)
    ? []
    : [mismatch('Content-Type', 'application/json', type === '' ? 'nothing' : type)];
  const json = jsonIn(body);
  if (!isObject(json)) return [...wrongType, mismatch('body', 'a JSON object', shownBody(body, json))];
  const envelope = envelopeMismatches(json, status);
  const code = isObject(json.header) ? json.header.status : undefined;
  if (typeof code !== 'number') return [...wrongType, ...envelope];
  return [...wrongType, ...envelope, ...contentMismatches({ request, name, code, json }, edition)];
}

function envelopeMismatches(json: Readonly<Record<string, unknown>>, httpStatus: number): Mismatch[] {
  const { header } = json;
  if (!isObject(header)) return [mismatch('header', 'an object', shownJson(header))];
  const { status, message } = header;
  const found: Mismatch[] = [];
  const expected = typeof status === 'number' ? statusMessage(status) : undefined;
  if (expected === undefined)
    found.push(mismatch('header.status', 'a number from 0 to 11', shownJson(status)));
  else if (message !== expected) found.push(mismatch('header.message', `"${expected}"`, shownJson(message)));
  if (httpStatus === 429 && status !== statuses.outOfConnections.code)
    found.push(mismatch('header.status', '11 with HTTP 429', shownJson(status)));
  const other = Object.keys(json).find((member) => !members.has(member));
  if (other !== undefined) found.push(mismatch(other, 'header, data or challenge', 'another member'));
  return found;
}

interface Content {
  readonly request: CheckedRequest;
  readonly name: string;
  /** `header.status`. */
  readonly code: number;
  readonly json: Readonly<Record<string, unknown>>;
}

function contentMismatches({ request, name, code, json }: Content, edition: EditionSeen): Mismatch[] {
  const at = 'header.status';
  const { release, known } = edition;
  if (code === ok.code && edition.lacks(name))
    return [mismatch(at, `5, because release ${release} has no ${name}`, '0')];
  const endpoint = known.endpoint(name);
  const hasVerb = request.method === 'POST' || endpoint?.kind === 'variable';
  if (code === notFound.code && hasVerb && edition.has(name))
    return [mismatch(at, `another status, because release ${release} has ${name}`, '5')];
  if (endpoint === undefined) return [];
  if (endpoint.kind === 'variable' && request.method === 'GET') {
    if (!ofReads.has(code))
      return [mismatch(at, 'a status that a read can have: 0, 1, 3, 5 or 11', String(code))];
    return code === ok.code ? valueMismatches(endpoint, name, json.data, 'data') : [];
  }
  if (request.method === 'GET') {
    return code === ok.code ? [mismatch(at, `5, because ${name} is a method`, '0')] : [];
  }
  if (code !== ok.code) return [];
  if (endpoint.kind === 'variable') {
    if (endpoint.facts.write === undefined)
      return [mismatch(at, `${readOnly.code}, because nobody can write ${name}`, '0')];
    return request.hasLogin ? [] : [mismatch(at, `${accessDenied.code}, because nobody has logged in`, '0')];
  }
  const { level, responseMember = 'data' } = endpoint.facts;
  const isOpen = level === 'open' || request.hasLogin || !needsHeader(name);
  const unproved = isOpen ? [] : [mismatch(at, `${accessDenied.code}, because nobody has logged in`, '0')];
  if (!endpoint.hasResponse) return unproved;
  const content = endpoint.completed(json[responseMember]);
  const wrong = typeMismatch(endpoint.response, withoutNotes(content, name), responseMember);
  return wrong === undefined ? unproved : [...unproved, wrong];
}

/** Methods whose login is not, or not always, in the body. */
const otherLogins: ReadonlySet<string> = new Set([
  ...['CreateSessionToken', 'FindMe', 'SetOutput', 'ActivateEvaluationGroup', 'SetPassword'],
]);

function needsHeader(name: string): boolean {
  return !otherLogins.has(name);
}

/** Some devices nest the response under the name of the method, and some do not. */
function withoutNotes(content: unknown, name: string): unknown {
  return isObject(content) && isObject(content[name]) ? content[name] : content;
}

/**
 * Returns what of the data of a variable is not as declared. A struct may be under its name, or have its members directly in
 * the data: devices do either.
 */
export function valueMismatches(
  variable: Variable<unknown>,
  name: string,
  data: unknown,
  where: string,
): Mismatch[] {
  if (!isObject(data)) return [mismatch(where, 'an object', shownJson(data))];
  const isNested = Object.hasOwn(data, name);
  if (!isNested && variable.type.shape.kind !== 'struct')
    return [mismatch(`${where}.${name}`, 'a value', 'nothing')];
  const wrong = isNested
    ? typeMismatch(variable.type, data[name], `${where}.${name}`)
    : typeMismatch(variable.type, data, where);
  return wrong === undefined ? [] : [wrong];
}

function shownBody(body: Uint8Array, json: unknown): string {
  if (json !== undefined) return shownJson(json);
  return body.length === 0 ? 'nothing' : Buffer.from(body.subarray(0, 100)).toString();
}
