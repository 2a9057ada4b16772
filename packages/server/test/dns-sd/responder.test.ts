import { EventEmitter } from 'node:events';
import { VirtualClock } from '@azimuth/device';
import { LogBook } from '@azimuth/test-support/log-book';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Responder } from '../../src/dns-sd/responder.js';
import { SenderLimit } from '../../src/network/udp.js';

const name = 'x._http._tcp.local';
const question = { id: 7, questions: [{ name, type: 'SRV' }] };
const records = [{ type: 'SRV' as const, name, data: { port: 80, target: 'x.local' } }];

/** Multicast DNS without a socket. Tests send the questions, and read the recorded answers. */
class FakeDns extends EventEmitter {
  readonly answered: unknown[] = [];

  respond(answer: unknown, ...rest: readonly unknown[]): void {
    this.answered.push(rest.length > 1 ? rest[0] : answer);
    const done = rest.at(-1);
    if (typeof done === 'function') done(null);
  }

  destroy(done: () => void): void {
    done();
  }
}

const made: FakeDns[] = [];
vi.mock('multicast-dns', () => ({
  default: () => {
    const dns = new FakeDns();
    made.push(dns);
    return dns;
  },
}));

beforeEach(() => {
  made.length = 0;
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Handles errors in tests in which nothing may fail. */
function failed(error: unknown): never {
  throw error;
}

/** Returns the addresses to which a responder at this address has responded. */
async function answered(at: string | undefined, ...askers: readonly { address: string; port: number }[]) {
  const responder = new Responder({
    at,
    limit: new SenderLimit(new VirtualClock()),
    log: new LogBook(),
    failed,
  });
  await responder.announce(records);
  const [dns] = made;
  if (dns === undefined) throw new Error('nothing was opened');
  dns.answered.length = 0;
  for (const asker of askers) dns.emit('query', question, asker);
  return dns.answered;
}

test('an error while answering is reported, and the next query is answered', async () => {
  const limit = new SenderLimit(new VirtualClock());
  const errors: unknown[] = [];
  const failed = (error: unknown) => errors.push(error);
  const responder = new Responder({ at: undefined, limit, log: new LogBook(), failed });
  await responder.announce(records);
  const [dns] = made;
  if (dns === undefined) throw new Error('nothing was opened');
  dns.answered.length = 0;
  vi.spyOn(limit, 'allows').mockImplementationOnce(() => {
    throw new Error('no limit');
  });
  dns.emit('query', question, far);
  dns.emit('error', new Error('a socket'));
  expect([errors, dns.answered]).toEqual([[new Error('no limit')], []]);
  dns.emit('query', question, far);
  expect(dns.answered).toEqual([far]);
});

const near = { address: '127.0.0.3', port: 40000 };
const far = { address: '192.0.2.9', port: 40000 };

test('a scanner on loopback answers only this machine', async () => {
  expect(await answered('127.0.0.1', far, near, { ...far, port: 5353 })).toEqual([near]);
});

test.each([['192.0.2.2'], [undefined]])('a scanner at %s answers every client', async (at) => {
  expect(await answered(at, far, near)).toEqual([far, near]);
});

test('a query from port 0 is ignored, because it cannot be answered', async () => {
  expect(await answered(undefined, { ...far, port: 0 }, near)).toEqual([near]);
});
