import { expect } from 'vitest';
import type { Client, Reply } from './client.js';
import { expectDone, expectStatus } from './envelope.js';

/** Writes a value and reads it back. */
export async function expectTaken(client: Client, name: string, value: unknown): Promise<void> {
  expectDone(await client.write(name, value));
  expect(await client.value(name)).toEqual(value);
}

/** A write that is refused with a status and leaves the value as it was. */
export async function expectRefusal(
  client: Client,
  name: string,
  write: () => Promise<Reply>,
  status: number,
): Promise<void> {
  const before = await client.value(name);
  expectStatus(await write(), status);
  expect(await client.value(name)).toEqual(before);
}
