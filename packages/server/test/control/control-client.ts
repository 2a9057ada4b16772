import { Client } from '@azimuth/test-support/client';
import { type JsonObject, object, parse } from '@azimuth/test-support/json';
import type { TestScanner } from '@azimuth/test-support/test-scanner';

export interface Told {
  readonly status: number;
  readonly json: JsonObject;
}

/** Posts a command, as text or as a value. */
export async function post(scanner: TestScanner, path: string, body: unknown = {}): Promise<Told> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const reply = await new Client(scanner.controlPort).send({ method: 'POST', path, body: text });
  return { status: reply.httpStatus, json: object(parse(reply.text)) };
}

/** Gets the result of a query. */
export async function look(scanner: TestScanner, path: string): Promise<Told> {
  const reply = await new Client(scanner.controlPort).send({ method: 'GET', path });
  return { status: reply.httpStatus, json: object(parse(reply.text)) };
}

/** Response to a command that was executed. */
export const done: Told = { status: 200, json: { ok: true } };

/** Response to a command that was refused. */
export function refused(error: string): Told {
  return { status: 400, json: { error } };
}
