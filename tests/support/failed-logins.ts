import { expect } from 'vitest';
import { type Client, type Login, type Reply, service } from './client.js';
import { expectDone, expectStatus } from './envelope.js';
import type { ScannerProcess } from './scanner-process.js';

export const wrongPassword: Login = { ...service, password: 'wrong' };

/** Fails to log in, so many times in a row. */
export async function failLogins(client: Client, times: number): Promise<void> {
  for (let failure = 0; failure < times; failure++) {
    expectStatus(await client.call('checkCredentials', undefined, wrongPassword), 4);
  }
}

export function requestChallenge(client: Client, user = service.user): Promise<Reply> {
  return client.post('getChallenge', { data: { user } });
}

export async function expectLocked(client: Client): Promise<void> {
  expectStatus(await requestChallenge(client), 4);
}

export async function expectNotLocked(client: Client): Promise<void> {
  expectStatus(await requestChallenge(client), 0);
}

/** Lets every lock and flood pass and puts the count of failed logins at 0. */
export async function resetFailedLogins(scanner: ScannerProcess, login: Login = service): Promise<void> {
  await scanner.advance(31_000);
  expectDone(await scanner.client().call('checkCredentials', undefined, login));
}

/** Finds out whether something counts as a failed login: after four of them it locks, or it does not. */
export async function expectCounted(client: Client, attempt: () => Promise<void>): Promise<void> {
  await failLogins(client, 4);
  await attempt();
  await expectLocked(client);
}

/** The opposite: it neither counts nor puts the count at 0. */
export async function expectNotCounted(client: Client, attempt: () => Promise<void>): Promise<void> {
  await failLogins(client, 4);
  for (let time = 0; time < 6; time++) await attempt();
  await expectNotLocked(client);
  await failLogins(client, 1);
  await expectLocked(client);
}

/** Whether a header is accepted, told by the one method that does nothing else. */
export async function expectAccepted(client: Client, header: unknown): Promise<void> {
  expectDone(await client.post('checkCredentials', { header }));
}

export async function expectRefused(client: Client, header: unknown, status: number): Promise<void> {
  expect([4, 10]).toContain(status);
  expectStatus(await client.post('checkCredentials', { header }), status);
}
