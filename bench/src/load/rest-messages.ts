import { createHash } from 'node:crypto';

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

/** Bodies of the replies to successful POSTs. */
export const replies = {
  written: '{"header":{"status":0,"message":"Ok"}}',
  saved: '{"header":{"status":0,"message":"Ok"},"data":{"Success":true}}',
} as const;
