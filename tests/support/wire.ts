import { expect, onTestFinished } from 'vitest';
import { object, parse } from './json.js';
import { RawConnection, type RawResponse } from './raw-connection.js';

export const read = 'GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\n\r\n';
export const post = 'POST /api/getChallenge HTTP/1.1\r\nHost: x\r\n';
export const payload = '{"data":{"user":"Service"}}';

/** A connection that ends with the test. */
export async function open(port: number): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  onTestFinished(() => connection.destroy());
  return connection;
}

/** Connects, and writes this. */
export async function say(port: number, text: string): Promise<RawConnection> {
  const connection = await open(port);
  connection.write(text);
  return connection;
}

export function statusIn({ body }: RawResponse): unknown {
  return object(object(parse(body)).header).status;
}

export function httpStatusOf({ statusLine }: RawResponse): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
}

/** The next answer says this status in JSON. */
export async function expectAnswer(connection: RawConnection, status = 0, http = 200): Promise<RawResponse> {
  const response = await connection.response();
  expect([httpStatusOf(response), statusIn(response)]).toEqual([http, status]);
  expect(response.headers.get('content-type')).toBe('application/json');
  return response;
}

/** The next answer is a refusal in JSON, with its reason, and the last on its connection. */
export async function expectEnd(connection: RawConnection, http: number, status = 1): Promise<RawResponse> {
  const response = await expectAnswer(connection, status, http);
  expect(response.headers.get('connection')).toBe('close');
  expect(response.headers.get('azimuth-detail')).toMatch(/\w/);
  await connection.closed;
  return response;
}

/** Writes a byte whenever some milliseconds have passed, until the connection is closed. */
export async function drip(connection: RawConnection, byte = 'x'): Promise<void> {
  const timer = setInterval(() => connection.write(byte), 10);
  await connection.closed;
  clearInterval(timer);
}
