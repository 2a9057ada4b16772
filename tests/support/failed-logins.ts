import { expect } from 'vitest';
import { type Client, type HttpResponse, type Login, service } from './client.js';
import { expectDone, expectStatus } from './envelope.js';
import type { ScannerProcess } from './scanner-process.js';

export const wrongPassword: Login = { ...service, password: 'wrong' };

/** Logs in with a wrong password this many times. */
export async function failLogins(client: Client, times: number): Promise<void> {
  for (let failure = 0; failure < times; failure++) {
    expectStatus(await client.call('checkCredentials', undefined, wrongPassword), 4);
  }
}

export function requestChallenge(client: Client, user = service.user): Promise<HttpResponse> {
  return client.post('getChallenge', { data: { user } });
}

export async function expectLocked(client: Client): Promise<void> {
  expectStatus(await requestChallenge(client), 4);
}

export async function expectNotLocked(client: Client): Promise<void> {
  expectStatus(await requestChallenge(client), 0);
}

/** Waits until locks and floods are over, and resets the count of failed logins. */
export async function resetFailedLogins(scanner: ScannerProcess, login: Login = service): Promise<void> {
  await scanner.advance(31_000);
  expectDone(await scanner.client().call('checkCredentials', undefined, login));
}

/** Expects that an attempt neither counts as a failed login nor resets the count. */
export async function expectNotCounted(client: Client, attempt: () => Promise<void>): Promise<void> {
  await failLogins(client, 4);
  for (let time = 0; time < 6; time++) await attempt();
  await expectNotLocked(client);
  await failLogins(client, 1);
  await expectLocked(client);
}

export async function expectRefused(client: Client, header: unknown, status: number): Promise<void> {
  expect([4, 10]).toContain(status);
  expectStatus(await client.post('checkCredentials', { header }), status);
}
