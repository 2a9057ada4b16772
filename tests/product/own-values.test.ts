import { MemoryStorage } from '@azimuth/device';
import { defineProduct, type Variable } from '@azimuth/model';
import type { HttpResponse } from '@azimuth/test-support/client';
import { isObject, number, object, parse } from '@azimuth/test-support/json';
import { dialects, session } from '@azimuth/test-support/legacy/scanner';
import { variablesOf } from '@azimuth/test-support/legacy/types';
import { encode } from '@azimuth/test-support/legacy/values';
import { shown } from '@azimuth/test-support/legacy-client';
import { Subscriber } from '@azimuth/test-support/subscriber';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invalidValue } from '../properties/invalid-values.js';
import { validValue } from '../properties/valid-values.js';
import { madeUpDefinition, madeUpProduct } from './made-up-product.js';

const login = { user: 'Service', password: 'acme service' };
const own = ['LaserHours', 'LaserLimit', 'LaserPower', 'LaserModes'];
const written = ['LaserLimit', 'LaserModes'];

function statusOf({ text }: HttpResponse): unknown {
  return object(object(parse(text)).header).status;
}

function variableOf(scanner: TestScanner, name: string): Variable<unknown> {
  const endpoint = scanner.service.device.served.endpoints.get(name);
  if (endpoint?.kind !== 'variable') throw new Error(`${name} is no variable`);
  return endpoint;
}

describe('own variables', () => {
  it.each(dialects)('are the same over %s of the legacy protocol as over REST', async (dialect) => {
    const scanner = await TestScanner.start({ product: madeUpProduct().product });
    const rest = scanner.client();
    const { text } = await rest.send({ method: 'GET', path: '/openapi.json' });
    const variables = variablesOf(parse(text)).filter(({ name }) => own.includes(name));
    expect(variables.map(({ name }) => name)).toEqual(own);
    await rest.write('LaserModes', [{ Mode: 5, Name: 'fünf', Target: [10, 0, 0, 1], Enabled: true }], login);
    const client = await session({ A: scanner.portA, B: scanner.portB }, dialect);
    for (const { name, type } of variables) {
      const answer = await client.request(`sRN ${name}`);
      expect(`${answer.command} ${answer.name}`).toBe(`sRA ${name}`);
      expect(shown(answer.values), name).toBe(shown(encode(dialect, type, await rest.value(name))));
    }
  });

  it('are pushed to subscribers of events', async () => {
    const { product, state } = madeUpProduct();
    const scanner = await TestScanner.start({ product });
    const subscriber = await Subscriber.connect(scanner.httpPort);
    expect(await subscriber.follow('LaserHours')).toEqual({ LaserHours: 7 });
    await scanner.client().call('ResetLaser', { Hours: 40 }, login);
    expect(await subscriber.push('LaserHours')).toEqual({ LaserHours: 40 });
    expect(state.laserHours).toBe(40);
    expect(await subscriber.refused('EvaluationHistory')).not.toBe('');
  });

  it.each(written)(
    '%s takes each valid value, and refuses each invalid one with its status',
    async (name) => {
      const scanner = await TestScanner.start({ product: madeUpProduct().product });
      const client = scanner.client();
      const { shape } = variableOf(scanner, name).type;
      await fc.assert(
        fc.asyncProperty(validValue(shape), async (value) => {
          fc.pre(value !== 666);
          expect(statusOf(await client.write(name, value, login))).toBe(0);
          expect(await client.value(name)).toEqual(value);
        }),
        { numRuns: 40 },
      );
      const before = await client.value(name);
      await fc.assert(
        fc.asyncProperty(invalidValue(shape), async ({ json, status }) => {
          fc.pre(JSON.stringify(json) !== undefined && !JSON.stringify(json).includes('null'));
          expect(statusOf(await client.write(name, json, login))).toBe(status);
          expect(await client.value(name)).toEqual(before);
        }),
        { numRuns: 40 },
      );
      expect(scanner.log.errors).toEqual([]);
    },
  );

  it('answer any JSON with a status of the caller, never with one of the scanner', async () => {
    const scanner = await TestScanner.start({ product: madeUpProduct().product });
    const client = scanner.client();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...own, 'ResetLaser'), fc.json(), async (name, text) => {
        const header = await client.header(name, login);
        const body = `{"header":${JSON.stringify(header)},"data":{"${name}":${text}}}`;
        expect([0, 1, 2, 6, 7, 8, 9]).toContain(statusOf(await client.postText(name, body)));
      }),
      { numRuns: 150 },
    );
    expect(scanner.log.errors).toEqual([]);
  });
});

describe('a damaged folder of a product', () => {
  it('starts again as this product, whatever was damaged, and never as another', async () => {
    const state = { laserHours: 1, written: [], power: 0 };
    const product = defineProduct(madeUpDefinition(state));
    const storage = new MemoryStorage();
    const first = await TestScanner.start({ product, storage });
    await first.client().write('LaserLimit', 111, login);
    await first.client().call('WriteEeprom', undefined, login);
    await first.service.close();
    const names = [...storage.documents.keys()];
    expect(names).toEqual(expect.arrayContaining(['firmware.json', 'parameters.json', 'credentials.json']));
    for (const name of names) {
      for (const damage of [Buffer.alloc(0), Buffer.from('{}'), Buffer.from('{"product":"picoScan"}')]) {
        const copy = new MemoryStorage();
        for (const [other, bytes] of storage.documents) copy.documents.set(other, bytes);
        copy.documents.set(name, damage);
        const scanner = await TestScanner.start({ product, storage: copy });
        const client = scanner.client();
        expect(await client.value('DeviceIdent'), name).toEqual({ Name: 'acmeProf', Version: '5.10.0' });
        const limit = number(await client.value('LaserLimit'));
        expect(limit, name).toBe(name === 'parameters.json' ? 500 : 111);
        expect(await client.value('DeviceStatus'), name).toBe(7);
        await scanner.service.close();
      }
    }
    expect(isObject(state)).toBe(true);
  });
});
