// The floor of an authenticated POST: node:http and the same hashes, and nothing that could be left out.
// Arguments: the port, and for a save the file whose bytes it writes and the folder that it writes them to.
import { hash, randomBytes, randomFillSync, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { isObject, parse } from '../json.js';
import { hash1Of, login, responses } from '../load/rest-messages.js';
import { replaceDurably } from '../replace-durably.js';

const [port, file, folder] = process.argv.slice(2);
const content = file === undefined ? undefined : readFileSync(file);

const realm = 'SICK Sensor';
const salt = randomBytes(16);
const hash1 = hash1Of(login.user, realm, login.password, salt);
const failure = '{"header":{"status":4,"message":"Access Denied"}}';

/** Opaque by nonce. */
const pending = new Map<string, string>();
const values: Record<string, unknown> = {};

// Random bytes are fetched by the page: one call to the system for each challenge would cost ten times as much.
const pool = Buffer.alloc(64 * 64);
let used = pool.length;

function challenge(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const nonce = pool.toString('hex', used, used + 32);
  const opaque = pool.toString('hex', used + 32, used + 64);
  used += 64;
  pending.set(nonce, opaque);
  const header = { status: 0, message: 'Ok' };
  return JSON.stringify({ header, challenge: { realm, nonce, opaque, salt: [...salt] } });
}

function isRight(header: unknown, endpoint: string): boolean {
  if (!isObject(header) || typeof header.nonce !== 'string' || typeof header.response !== 'string')
    return false;
  const opaque = pending.get(header.nonce);
  pending.delete(header.nonce);
  if (opaque === undefined || opaque !== header.opaque) return false;
  const right = Buffer.from(hash('sha256', `${hash1}:${header.nonce}:${hash('sha256', `POST:${endpoint}`)}`));
  const received = Buffer.from(header.response);
  return right.length === received.length && timingSafeEqual(right, received);
}

function responseTo(endpoint: string, text: string): string {
  const json = parse(text);
  if (!isObject(json)) return failure;
  if (endpoint === 'getChallenge') return challenge();
  if (!isRight(json.header, endpoint)) return failure;
  if (isObject(json.data)) {
    values[endpoint] = json.data[endpoint];
    return responses.written;
  }
  if (content !== undefined && folder !== undefined) replaceDurably(folder, 'parameters.json', content);
  return responses.saved;
}

function send(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  // The body is text: node sends bytes apart from the header, which takes longer.
  response.end(body, 'latin1');
}

createServer((request, response) => {
  if (request.method === 'GET') return send(response, responses.written);
  const endpoint = (request.url ?? '').slice('/api/'.length);
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => send(response, responseTo(endpoint, Buffer.concat(parts).toString())));
}).listen(Number(port), '127.0.0.1');
