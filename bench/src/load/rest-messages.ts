import { createHash, hash } from 'node:crypto';
import { objectIn, parse, stringIn } from '../json.js';

/** The factory login of the highest level. */
export const login = { user: 'Service', password: 'servicelevel' } as const;

/** hash1 of the specification's login, as hex. */
export function hash1Of(user: string, realm: string, password: string, salt: Uint8Array): string {
  return createHash('sha256').update(`${user}:${realm}:${password}:`, 'latin1').update(salt).digest('hex');
}

const host = 'Host: 127.0.0.1\r\n';

/** A whole GET request. */
export function getRequest(path: string): string {
  return `GET ${path} HTTP/1.1\r\n${host}\r\n`;
}

/** A whole POST request with a JSON body of ASCII characters. */
export function postRequest(path: string, body: string): string {
  const head = `POST ${path} HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
  return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
}

/** Bodies of the responses to successful POSTs. */
export const responses = {
  written: '{"header":{"status":0,"message":"Ok"}}',
  saved: '{"header":{"status":0,"message":"Ok"},"data":{"Success":true}}',
} as const;

export interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string;
  readonly salt: Uint8Array;
}

export function challengeRequest(user: string, prefix = ''): string {
  return postRequest(`${prefix}/api/getChallenge`, JSON.stringify({ data: { user } }));
}

/** Reads the challenge from the response to such a request. */
export function challengeIn(response: string): Challenge {
  const challenge = objectIn(parse(response), 'challenge');
  if (!Array.isArray(challenge.salt)) throw new Error('salt: an array was expected');
  return {
    realm: stringIn(challenge, 'realm'),
    nonce: stringIn(challenge, 'nonce'),
    opaque: stringIn(challenge, 'opaque'),
    salt: Uint8Array.from(challenge.salt.map(Number)),
  };
}

/** JSON of the header that answers a challenge. */
export function loginHeader(
  user: string,
  hash1: string,
  { realm, nonce, opaque }: Challenge,
  endpoint: string,
): string {
  const response = hash('sha256', `${hash1}:${nonce}:${hash('sha256', `POST:${endpoint}`)}`);
  return JSON.stringify({ user, realm, nonce, opaque, response });
}
