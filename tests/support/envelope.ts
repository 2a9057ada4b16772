import { expect } from 'vitest';
import type { Client, HttpResponse } from './client.js';
import { type JsonObject, object, parse } from './json.js';

/** The specification's table of errors. */
export const messages: ReadonlyMap<number, string> = new Map([
  [0, 'Ok'],
  [1, 'Parsing Failed'],
  [2, 'Invalid Data'],
  [3, 'Internal Server Error'],
  [4, 'Access Denied'],
  [5, 'Not Found'],
  [6, 'Out Of Range'],
  [7, 'Out Of Bounds'],
  [8, 'Read Only'],
  [9, 'Illegal Value'],
  [10, 'Invalid Challenge'],
  [11, 'Out Of Connections'],
]);

/** Checks a JSON response with this status, and returns its members. */
export function expectStatus(response: HttpResponse, status: number): JsonObject {
  const body = object(parse(response.text));
  expect(body.header).toEqual({ status, message: messages.get(status) });
  expect(response.httpStatus).toBe(200);
  expect(response.headers['content-type']).toMatch(/^application\/json(?:;.*)?$/);
  if (status !== 0) expect(Object.keys(body)).toEqual(['header']);
  if (status === 0 || status === 4) expect(response.headers).not.toHaveProperty('azimuth-detail');
  return body;
}

/** A success with nothing but its header. */
export function expectDone(response: HttpResponse): void {
  expect(Object.keys(expectStatus(response, 0))).toEqual(['header']);
}

/** A success with exactly this `data`. */
export function expectData(response: HttpResponse, data: JsonObject): void {
  const body = expectStatus(response, 0);
  expect(body.data).toEqual(data);
  expect(Object.keys(body).sort()).toEqual(['data', 'header']);
}

/** The reason of a refusal, from the header Azimuth-Detail. */
export function detailOf(response: HttpResponse): string {
  const detail = response.headers['azimuth-detail'];
  if (typeof detail !== 'string') throw new Error('the reply has no Azimuth-Detail');
  expect(detail).toMatch(/^[\x20-\x7e]+$/);
  return detail;
}

/** Writes a value and reads it back. */
export async function expectWritten(client: Client, name: string, value: unknown): Promise<void> {
  expectDone(await client.write(name, value));
  expect(await client.value(name)).toEqual(value);
}

/** Expects that a write is refused with this status and leaves the value unchanged. */
export async function expectRefusal(
  client: Client,
  name: string,
  write: () => Promise<HttpResponse>,
  status: number,
): Promise<void> {
  const before = await client.value(name);
  expectStatus(await write(), status);
  expect(await client.value(name)).toEqual(before);
}
