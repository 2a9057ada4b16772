import { createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { isObject } from '@azimuth/model';

/** A prepared response that replaces the usual one. */
export interface PreparedResponse {
  readonly status?: number;
  readonly message?: string;
  readonly data?: unknown;
  readonly http?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The complete body, or no response at all. */
  readonly raw?: string;
  readonly never?: boolean;
}

/** A request and its status. */
export interface Exchange {
  readonly method: string;
  readonly endpoint: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly status: number;
}

/** A file transfer and the response to it; undefined for no response. */
export interface FileTransfer {
  readonly method: string;
  /** The part of the URL after `?`. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}
export interface FileResponse {
  readonly http?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

interface ResponseBody {
  readonly status: number;
  readonly [member: string]: unknown;
}

interface Secret {
  readonly hash1: Buffer;
  readonly salt: readonly number[] | undefined;
}

const realm = 'Test Sensor';
const open = ['changePassword', 'GetWebserverEnabled', 'GetDiagnosisDumpInfo'];

/**
 * A device that is strict where a client may go wrong: it knows one pending challenge, whoever fetches the next one
 * spoils it, and it works the response hash out on its own.
 */
export class FakeDevice {
  readonly exchanges: Exchange[] = [];
  readonly values = new Map<string, unknown>([['LocationName', 'not defined']]);
  readonly responses = new Map<string, unknown>();
  /** Handlers of file transfers, by endpoint. */
  readonly files = new Map<string, (transfer: FileTransfer) => FileResponse | undefined>();
  /** Place of a struct in a response. */
  structs: 'nested' | 'flat' | 'both' = 'nested';
  /** The largest number of simultaneous requests. */
  mostAtOnce = 0;
  #atOnce = 0;
  readonly #secrets = new Map<string, Secret>();
  readonly #prepared = new Map<string, PreparedResponse[]>();
  #pending: { readonly user: string; readonly nonce: string } | undefined;
  readonly #server: Server;
  #url = '';

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<FakeDevice> {
    const device = new FakeDevice();
    device.setPassword('Service', 'servicelevel', [...randomBytes(16)]);
    await new Promise<void>((resolve) => device.#server.listen(0, '127.0.0.1', resolve));
    const address = device.#server.address();
    if (!isObject(address)) throw new Error('the device listens nowhere');
    device.#url = `http://127.0.0.1:${address.port}`;
    return device;
  }

  get url(): string {
    return this.#url;
  }

  /** A salt of undefined is left out of the challenge. */
  setPassword(user: string, password: string, salt: readonly number[] | undefined): void {
    const hash = createHash('sha256').update(Buffer.from(`${user}:${realm}:${password}`, 'latin1'));
    if (salt !== undefined && salt.length > 0) hash.update(':').update(Buffer.from(salt));
    this.#secrets.set(user, { hash1: hash.digest(), salt });
  }

  /** Prepares responses for the next requests of an endpoint, one each. */
  prepare(endpoint: string, ...responses: PreparedResponse[]): void {
    this.#prepared.set(endpoint, [...(this.#prepared.get(endpoint) ?? []), ...responses]);
  }

  /** The requested endpoints, in order. */
  get requests(): string[] {
    return this.exchanges.map(({ endpoint }) => endpoint);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const endpoint = (request.url ?? '').replace('/api/', '');
    const method = request.method ?? '';
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce);
    const [name = '', query = ''] = endpoint.split('?');
    const file = method === 'GET' || method === 'PUT' ? this.files.get(name) : undefined;
    if (file !== undefined) {
      const fileResponse = file({ method, query, headers: request.headers, body: await bytesOf(request) });
      this.#atOnce--;
      this.exchanges.push({ method, endpoint, body: {}, status: fileResponse?.http ?? 200 });
      if (fileResponse === undefined) return;
      response.writeHead(fileResponse.http ?? 200, fileResponse.headers);
      response.end(fileResponse.body);
      return;
    }
    const body = await bodyOf(request);
    // Others that are on their way arrive meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
    this.#atOnce--;
    const prepared = this.#prepared.get(endpoint)?.shift();
    const content = this.#contentFor(prepared, method, endpoint, body);
    this.exchanges.push({ method, endpoint, body, status: content.status });
    if (prepared?.never) return;
    const { status, ...rest } = content;
    const message = prepared?.message ?? `Message ${status}`;
    response.writeHead(prepared?.http ?? 200, { 'Content-Type': 'application/json', ...prepared?.headers });
    response.end(prepared?.raw ?? JSON.stringify({ header: { status, message }, ...rest }));
  }

  #contentFor(
    prepared: PreparedResponse | undefined,
    method: string,
    endpoint: string,
    body: Exchange['body'],
  ): ResponseBody {
    if (prepared !== undefined) return { status: prepared.status ?? 0, data: prepared.data };
    if (method === 'GET') return this.#read(endpoint);
    if (endpoint === 'getChallenge') return this.#challenge(body.data);
    if (!open.includes(endpoint)) {
      const status = this.#login(endpoint, body.header);
      if (status !== 0) return { status };
    }
    if (endpoint === 'changePassword') return this.#changePassword(body.data);
    if (!this.values.has(endpoint)) return { status: 0, data: this.responses.get(endpoint) };
    this.values.set(endpoint, isObject(body.data) ? body.data[endpoint] : undefined);
    return { status: 0 };
  }

  #read(endpoint: string): ResponseBody {
    if (!this.values.has(endpoint)) return { status: 5 };
    const value = this.values.get(endpoint);
    if (!isObject(value)) return { status: 0, data: { [endpoint]: value } };
    const nested = this.structs === 'flat' ? {} : { [endpoint]: value };
    return { status: 0, data: this.structs === 'nested' ? nested : { ...value, ...nested } };
  }

  #challenge(data: unknown): ResponseBody {
    const user = isObject(data) ? String(data.user) : '';
    const secret = this.#secrets.get(user);
    if (secret === undefined) return { status: 3 };
    const nonce = randomBytes(32).toString('hex');
    this.#pending = { user, nonce };
    return { status: 0, challenge: { realm, nonce, opaque: 'cafe', salt: secret.salt } };
  }

  /** The status of a login: 0, 4, or 10 where its challenge is not the pending one. */
  #login(endpoint: string, header: unknown): number {
    if (!isObject(header)) return 4;
    const pending = this.#pending;
    if (pending === undefined || pending.nonce !== header.nonce || pending.user !== header.user) return 10;
    this.#pending = undefined;
    const first = this.#secrets.get(pending.user)?.hash1.toString('hex');
    const expected = sha256(`${first}:${pending.nonce}:${sha256(`POST:${endpoint}`)}`);
    const proven = header.response === expected && header.opaque === 'cafe' && header.realm === realm;
    return proven ? 0 : 4;
  }

  #changePassword(data: unknown): ResponseBody {
    if (!isObject(data) || !Array.isArray(data.encryptedMessage)) return { status: 1 };
    const user = String(data.userLevel);
    const secret = this.#secrets.get(user);
    const message = Buffer.from(data.encryptedMessage);
    if (secret === undefined || message.length !== 96) return { status: 0, data: { result: 2 } };
    const mac = createHmac('sha256', secret.hash1).update(message.subarray(0, 64)).digest();
    if (!mac.equals(message.subarray(64))) return { status: 0, data: { result: 2 } };
    const salted = (secret.salt ?? []).length > 0;
    const decipher = createDecipheriv('aes-128-cbc', secret.hash1.subarray(0, 16), message.subarray(0, 16));
    decipher.setAutoPadding(!salted);
    const plain = Buffer.concat([decipher.update(message.subarray(16, 64)), decipher.final()]);
    this.#secrets.set(user, {
      hash1: plain.subarray(0, 32),
      salt: salted ? [...plain.subarray(32)] : secret.salt,
    });
    return { status: 0, data: { result: 0 } };
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const text = (await bytesOf(request)).toString();
  const json: unknown = text === '' ? {} : JSON.parse(text);
  return isObject(json) ? json : {};
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
