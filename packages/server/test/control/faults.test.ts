import { faultKinds } from '@azimuth/model/faults';
import { array, object } from '@azimuth/test-support/json';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { done, look, post, refused } from './control-client.js';

test('faults are planned, listed and cleared over the control port', async () => {
  const scanner = await TestScanner.start({ controlPort: 0 });
  const plan = {
    seed: 7,
    faults: [
      { kind: 'http-429', endpoint: 'SerialNumber' },
      { kind: 'link-down', at: 9 },
    ],
  };
  expect(await post(scanner, '/faults', plan)).toEqual({ status: 200, json: { ok: true, ids: [1, 2] } });
  expect(await scanner.client().get('SerialNumber')).toMatchObject({ httpStatus: 429 });
  expect((await look(scanner, '/faults')).json).toEqual({
    faults: [
      {
        id: 1,
        state: 'active',
        occasions: 1,
        times: 1,
        fault: { kind: 'http-429', endpoint: 'SerialNumber' },
      },
      { id: 2, state: 'planned', occasions: 0, times: 0, fault: { kind: 'link-down', at: 9 } },
    ],
  });
  expect(await post(scanner, '/faults/clear', { id: 1 })).toEqual(done);
  expect(await scanner.client().get('SerialNumber')).toMatchObject({ httpStatus: 200 });
  expect(await post(scanner, '/faults/clear', { id: 1 })).toEqual(refused('there is no fault with the id 1'));
  expect(await post(scanner, '/faults/clear')).toEqual(done);
  expect((await look(scanner, '/faults')).json).toEqual({ faults: [] });
});

test('a plan with a mistake changes nothing, and the answer names the place', async () => {
  const scanner = await TestScanner.start({ controlPort: 0 });
  const faults = [{ kind: 'link-down' }, { kind: 'http-latency', latency: 'x' }];
  expect(await post(scanner, '/faults', { faults })).toEqual(
    refused('faults[1].latency: a number of ms 0 to 60000, not "x"'),
  );
  expect(scanner.faults.list).toEqual([]);
});

test('there are at most 1000 faults at a time', async () => {
  const scanner = await TestScanner.start({ controlPort: 0 });
  const faults = Array.from({ length: 600 }, () => ({ kind: 'link-down', at: 1000 }));
  expect(await post(scanner, '/faults', { faults })).toMatchObject({ status: 200 });
  expect(await post(scanner, '/faults', { faults })).toEqual(
    refused('at most 1000 faults at a time; there are 600'),
  );
});

test('the OpenAPI of the control port is valid, and names every command and every kind of fault', async () => {
  const scanner = await TestScanner.start({ controlPort: 0 });
  const { json } = await look(scanner, '/openapi.json');
  expect(await new Validator().validate(structuredClone(json))).toMatchObject({ valid: true });
  const paths = object(json.paths);
  const { commands } = (await look(scanner, '/')).json;
  for (const command of array(commands)) expect(paths).toHaveProperty([`/${command}`, 'post']);
  const text = JSON.stringify(object(paths['/faults']).post);
  for (const kind of Object.keys(faultKinds)) expect(text).toContain(`"enum":["${kind}"]`);
  expect(text).toContain('"maximum":60000');
});
