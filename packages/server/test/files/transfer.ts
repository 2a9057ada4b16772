import { type Client, dataOf, type HttpResponse, type RawRequest } from '@azimuth/test-support/client';
import { object, parse, string } from '@azimuth/test-support/json';
import { expect } from 'vitest';

export const path = '/api/parameterbackup';

/** Returns a token of CreateSessionToken, as the header that carries it. */
export async function tokenOf(client: Client): Promise<{ 'X-Session-Token': string }> {
  return { 'X-Session-Token': string(dataOf(await client.call('CreateSessionToken')).token) };
}

/** Sends an upload with a fresh token. */
export async function upload(
  client: Client,
  body: string | Buffer,
  headers: RawRequest['headers'] = {},
  method = 'PUT',
): Promise<HttpResponse> {
  return client.send({ method, path, headers: { ...(await tokenOf(client)), ...headers }, body });
}

/** Returns the file that the scanner stores, as text. */
export async function downloaded(client: Client): Promise<string> {
  const reply = await client.send({ method: 'GET', path, headers: await tokenOf(client) });
  expect(reply.httpStatus).toBe(200);
  return reply.text;
}

/** Checks a refusal with an HTTP status of its own and the envelope as its body; returns its detail. */
export function expectRefused(reply: HttpResponse, httpStatus: number, status: number): string {
  expect([reply.httpStatus, object(object(parse(reply.text)).header).status]).toEqual([httpStatus, status]);
  expect(reply.headers['content-type']).toBe('application/json');
  expect(Object.keys(object(parse(reply.text)))).toEqual(['header']);
  return string(reply.headers['azimuth-detail']);
}

/** Checks the response of a successful upload. */
export function expectTaken(reply: HttpResponse): void {
  expect(reply.httpStatus).toBe(200);
  expect(parse(reply.text)).toEqual({ header: { status: 0, message: 'Ok' } });
}
