import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { JournalEvent } from '@azimuth/device/journal';
import { defineProduct, type OwnMethod, type OwnVariable } from '@azimuth/model';
import { TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import { JournalNote } from '../../src/rest/journal-note.js';

const text = { kind: 'string', maxLength: 20 } as const;

/** Returns what the journal gets of a POST to an own member of a product. */
async function noted(
  own: { readonly method: Partial<OwnMethod> } | { readonly variable: Partial<OwnVariable> },
  data: object,
) {
  const product = defineProduct({
    ...{ name: 'acme', deviceType: 'acme3xx', orderNumber: '1', realm: 'Acme' },
    releases: { '1.0.0': '2.4.4' },
    groups: { added: { Door: {} } },
    ...('method' in own
      ? { methods: { Open: { group: 'Door', text: 'Opens it.', level: 'open', ...own.method } } }
      : { variables: { Open: { group: 'Door', text: 'Opens it.', type: text, ...own.variable } } }),
  });
  const { device } = await TestDevice.open({ product });
  const endpoint = device.served.endpoints.get('Open');
  if (endpoint === undefined) throw new Error('there is no such endpoint');
  const events: JournalEvent[] = [];
  const request = new IncomingMessage(new Socket());
  request.method = 'POST';
  const note = new JournalNote({ add: (event) => events.push(event) }, 'Open', '', request);
  note.found(endpoint);
  note.received(data, 1);
  note.answered(0);
  const [event] = events;
  if (event?.kind === 'call') return event.request;
  return event?.kind === 'write' ? event.value : undefined;
}

const door = { kind: 'integer', format: 'uint8' } as const;

describe('the journal of a product of one’s own', () => {
  test('has no members of methods that look like secrets, at any depth', async () => {
    const user = {
      kind: 'array',
      maxItems: 2,
      of: { kind: 'struct', members: { unlockCode: text } },
    } as const;
    const request = { door, password: text, apiKey: text, userPin: text, user };
    const data = { door: 3, password: 'a', apiKey: 'b', userPin: 'c', user: [{ unlockCode: 'd' }] };
    expect(await noted({ method: { request } }, data)).toEqual({ door: 3 });
  });

  test('has what is declared not to be a secret, and not what is declared to be one', async () => {
    const request = { door, word: text, key: text };
    const data = { door: 3, word: 'sesame', key: 'left' };
    expect(await noted({ method: { request } }, data)).toEqual({ door: 3, word: 'sesame' });
    expect(await noted({ method: { request, secrets: ['word'] } }, data)).toEqual({ door: 3, key: 'left' });
    expect(await noted({ method: { request, secrets: [] } }, data)).toEqual(data);
  });

  test('has no values of a wrong type beside a secret', async () => {
    const request = { door, word: text };
    expect(await noted({ method: { request, secrets: ['word'] } }, { door: 'sesame' })).toEqual({});
    expect(await noted({ method: { request } }, { door: 'three' })).toEqual({ door: 'three' });
  });

  test('shows written values, but none that only a function gets', async () => {
    const hooks = { write: 'Service', computed: () => '', written: () => undefined } as const;
    const data = { Open: 'sesame' };
    expect(await noted({ variable: { write: 'Service' } }, data)).toBe('sesame');
    expect(await noted({ variable: hooks }, data)).toBe('sesame');
    expect(await noted({ variable: { ...hooks, secret: true } }, data)).toBe(undefined);
    const type = { kind: 'struct', members: { password: text } } as const;
    const login = { Open: { password: 'sesame' } };
    expect(await noted({ variable: { ...hooks, type } }, login)).toBe(undefined);
    expect(await noted({ variable: { ...hooks, type, secret: false } }, login)).toEqual({
      password: 'sesame',
    });
  });
});

test('the limit of the journal counts what a value takes in memory', async () => {
  const bytes: number[] = [];
  const request = new IncomingMessage(new Socket());
  request.method = 'POST';
  const note = new JournalNote({ add: (_, size) => bytes.push(size) }, 'LocationName', '', request);
  const { device } = await TestDevice.open();
  const endpoint = device.served.endpoints.get('LocationName');
  if (endpoint === undefined) throw new Error('there is no such endpoint');
  note.found(endpoint);
  const data = { LocationName: Array.from({ length: 1000 }, () => ({})) };
  note.received(data, JSON.stringify(data).length);
  note.answered(2);
  expect(bytes[0]).toBeGreaterThan(64_000);
});

test('a product with secrets that its method lacks is refused', () => {
  const method = { group: 'Door', text: 'Opens it.', level: 'open', secrets: ['word'] } as const;
  expect(() =>
    defineProduct({
      ...{ name: 'acme', deviceType: 'acme3xx', orderNumber: '1', realm: 'Acme' },
      releases: { '1.0.0': '2.4.4' },
      groups: { added: { Door: {} } },
      methods: { Open: method },
    }),
  ).toThrow('methods.Open.secrets[0]');
});
