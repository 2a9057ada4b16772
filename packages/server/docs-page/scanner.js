// The scanner as this page asks it: relative to the page, so that a path in front of both does no harm.

/**
 * @typedef {{ status: number, detail: string, json: Readonly<Record<string, unknown>> }} Reply
 * @typedef {{ user: string, password: string }} Login
 */

const invalidChallenge = 10;
/** Who fetches a challenge and posts with it must not be interrupted by himself. */
let turn = Promise.resolve();

/**
 * @param {string} path without the slash in front
 * @returns {Promise<Reply>}
 */
export async function read(path) {
  return replyOf(await fetch(path));
}

/**
 * Writes a variable or calls a method.
 * @param {string} path
 * @param {unknown} data under `data`; undefined for none
 * @param {Login | undefined} login undefined where none is needed
 * @returns {Promise<Reply>}
 */
export async function send(path, data, login) {
  const body = data === undefined ? {} : { data };
  if (login === undefined) return post(path, body);
  const before = turn;
  const sent = before.then(async () => {
    const reply = await signed(path, body, login);
    // Somebody else took a challenge in between: once more with a new one.
    return reply.status === invalidChallenge ? signed(path, body, login) : reply;
  });
  turn = sent.then(
    () => undefined,
    () => undefined,
  );
  return sent;
}

/**
 * @param {string} path
 * @param {object} body
 * @param {Login} login
 */
async function signed(path, body, { user, password }) {
  const fetched = await post('api/getChallenge', { data: { user } });
  if (fetched.status !== 0) return fetched;
  const challenge = fetched.json.challenge;
  if (!isObject(challenge)) throw new Error('the scanner sent no challenge');
  const { realm, nonce, opaque, salt } = challenge;
  // What is signed is the path without `api/`.
  const endpoint = path.replace(/^api\//, '');
  const identity = `${user}:${realm}:${password}`;
  const salted =
    Array.isArray(salt) && salt.length > 0 ? [...codesOf(`${identity}:`), ...salt] : codesOf(identity);
  const hash1 = await sha256(salted);
  const hash2 = await sha256(codesOf(`POST:${endpoint}`));
  const response = await sha256(codesOf(`${hash1}:${nonce}:${hash2}`));
  return post(path, { header: { user, realm, nonce, opaque, response }, ...body });
}

/**
 * @param {string} path
 * @param {object} body
 */
async function post(path, body) {
  const headers = { 'Content-Type': 'application/json' };
  return replyOf(await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }));
}

/**
 * @param {Response} response
 * @returns {Promise<Reply>}
 */
async function replyOf(response) {
  const text = await response.text();
  const json = jsonIn(text);
  const header = isObject(json) ? json.header : undefined;
  if (!isObject(json) || !isObject(header)) throw new Error(`HTTP ${response.status}: ${text.slice(0, 300)}`);
  const words = decoded(response.headers.get('Azimuth-Detail') ?? '');
  const detail = [header.message, words].filter((part) => part !== '').join(' – ');
  return { status: Number(header.status), detail, json };
}

/** Character codes modulo 256, as passwords are hashed. @param {string} text */
function codesOf(text) {
  return Array.from({ length: text.length }, (_, index) => text.charCodeAt(index) & 255);
}

/** As lower-case hex. Pages without TLS have no WebCrypto; what stands in for it is loaded for the first login. @param {number[]} bytes */
async function sha256(bytes) {
  const hashes = await import('./hashes/sha2.js');
  return Array.from(hashes.sha256(Uint8Array.from(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}

/**
 * @param {unknown} value
 * @returns {value is Readonly<Record<string, unknown>>}
 */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * @param {string} text
 * @returns {unknown} undefined where it is no JSON
 */
export function jsonIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} words */
function decoded(words) {
  try {
    return decodeURIComponent(words);
  } catch {
    return words;
  }
}
