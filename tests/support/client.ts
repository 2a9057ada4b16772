import { createHash } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { bytes, type JsonObject, object, parse, string } from './json.js';

/** A user level and its REST password. */
export interface Login {
  user: string;
  password: string;
}

export const service: Login = { user: 'Service', password: 'servicelevel' };
export const maintenance: Login = { user: 'Maintenance', password: 'main' };
export const authorizedClient: Login = { user: 'AuthorizedClient', password: 'client' };

export interface Challenge {
  realm: string;
  nonce: string;
  opaque: string;
  salt: Buffer | undefined;
}

/** The five fields that authenticate a POST. */
export interface Header {
  user: string;
  realm: string;
  nonce: string;
  opaque: string;
  response: string;
}

/** One HTTP response. */
export interface HttpResponse {
  httpStatus: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface RawRequest {
  method: string;
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
}

export function sha256(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** Password bytes are the character codes modulo 256. */
export function passwordBytes(password: string): Buffer {
  return Buffer.from(Array.from({ length: password.length }, (_, index) => password.charCodeAt(index) % 256));
}

/** `hash1` of the specification, Authentication, step 2: salted when there is a salt. */
export function hash1({ user, password }: Login, realm: string, salt: Buffer | undefined): string {
  const plain = [`${user}:${realm}:`, passwordBytes(password)];
  return salt === undefined ? sha256(...plain) : sha256(...plain, ':', salt);
}

/** `response` of the specification, Authentication, step 2. */
export function response(first: string, nonce: string, endpoint: string): string {
  return sha256(`${first}:${nonce}:${sha256(`POST:${endpoint}`)}`);
}

/** Returns the header that authenticates a POST to one endpoint. */
export function headerFor(challenge: Challenge, login: Login, endpoint: string): Header {
  const { realm, nonce, opaque, salt } = challenge;
  const first = hash1(login, realm, salt);
  return { user: login.user, realm, nonce, opaque, response: response(first, nonce, endpoint) };
}

export function readChallenge(response: HttpResponse): Challenge {
  const { realm, nonce, opaque, salt } = object(object(parse(response.text)).challenge);
  return {
    realm: string(realm),
    nonce: string(nonce),
    opaque: string(opaque),
    salt: salt === undefined ? undefined : bytes(salt),
  };
}

export interface ClientOptions {
  keepAlive?: boolean;
  localAddress?: string;
  host?: string;
  /** Over HTTPS, with this trust and these versions. */
  tls?: ConnectionOptions;
}

/** A client for the REST interface that can also send invalid requests. */
export class Client {
  readonly #agent: Agent | undefined;

  constructor(
    readonly port: number,
    readonly options: ClientOptions = {},
  ) {
    const { keepAlive = false, tls } = options;
    const Pool = tls === undefined ? Agent : SecureAgent;
    this.#agent = keepAlive ? new Pool({ keepAlive, maxSockets: 1 }) : undefined;
  }

  /** Sends any request. There is no Content-Type unless stated. */
  send({ method, path, headers = {}, body }: RawRequest): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const { tls } = this.options;
      const outgoing = (tls === undefined ? request : secureRequest)(
        {
          ...tls,
          host: this.options.host ?? '127.0.0.1',
          port: this.port,
          method,
          path,
          headers,
          agent: this.#agent ?? false,
          localAddress: this.options.localAddress,
        },
        (incoming) => {
          const parts: Buffer[] = [];
          incoming.on('data', (part: Buffer) => parts.push(part));
          incoming.on('error', reject);
          incoming.on('end', () => {
            if (!incoming.complete) return reject(new Error('the answer was cut off'));
            resolve({
              httpStatus: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text: Buffer.concat(parts).toString('utf8'),
            });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  get(name: string): Promise<HttpResponse> {
    return this.send({ method: 'GET', path: `/api/${name}` });
  }

  /** A POST with JSON, or with no body at all. */
  post(name: string, body?: unknown): Promise<HttpResponse> {
    if (body === undefined) return this.postText(name, '');
    return this.postText(name, JSON.stringify(body));
  }

  postText(name: string, body: string | Buffer, headers: OutgoingHttpHeaders = {}): Promise<HttpResponse> {
    return this.send({ method: 'POST', path: `/api/${name}`, headers, body });
  }

  async challenge(user = service.user): Promise<Challenge> {
    const response = await this.post('getChallenge', { data: { user } });
    if (statusOf(response) !== 0) throw new Error(`no challenge for ${user}: ${response.text}`);
    return readChallenge(response);
  }

  /** Requests a challenge, and returns the header that authenticates a POST to one endpoint. */
  async header(endpoint: string, login: Login = service): Promise<Header> {
    return headerFor(await this.challenge(login.user), login, endpoint);
  }

  /** The whole sequence: challenge, then the protected POST. */
  async call(name: string, data?: unknown, login: Login = service): Promise<HttpResponse> {
    const header = await this.header(name, login);
    return this.post(name, data === undefined ? { header } : { header, data });
  }

  /** A protected POST whose `data` is JSON text that `JSON.stringify` cannot make. */
  async callText(name: string, data: string, login: Login = service): Promise<HttpResponse> {
    const header = await this.header(name, login);
    return this.postText(name, `{"header":${JSON.stringify(header)},"data":${data}}`);
  }

  /** Writes a variable. */
  write(name: string, value: unknown, login: Login = service): Promise<HttpResponse> {
    return this.call(name, { [name]: value }, login);
  }

  /** The value of a variable. Throws if it cannot be read. */
  async value(name: string): Promise<unknown> {
    return dataOf(await this.get(name))[name];
  }

  /** The stored value of a variable, as opposed to the working value. */
  async stored(name: string): Promise<unknown> {
    return dataOf(await this.send({ method: 'GET', path: '/x/stored' }))[name];
  }

  close(): void {
    this.#agent?.destroy();
  }
}

export function statusOf(response: HttpResponse): unknown {
  return object(object(parse(response.text)).header).status;
}

/** Returns the `data` of a successful response. Throws if the response is not a success. */
export function dataOf(response: HttpResponse): JsonObject {
  if (statusOf(response) !== 0) throw new Error(`not a success: ${response.text}`);
  return object(object(parse(response.text)).data);
}
