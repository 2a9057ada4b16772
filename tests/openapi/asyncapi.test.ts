import specs from '@asyncapi/specs';
import { type Edition, eventsOf, extensionsOf, isFrom, newestRelease } from '@azimuth/model';
import { asyncApi } from '@azimuth/model/asyncapi';
import { openApi } from '@azimuth/model/openapi';
import { type JsonObject, object, parse } from '@azimuth/test-support/json';
import { editions, newest, scannerOf } from '@azimuth/test-support/openapi-scanner';
import { openSocket } from '@azimuth/test-support/subscriber';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { Ajv } from 'ajv';
import { describe, expect, it, test } from 'vitest';
import { madeUpProduct } from '../product/made-up-product.js';

const official = new Ajv({ strict: false, validateFormats: false }).compile(specs.schemasWithoutId['3.0.0']);

const served = (edition: Edition) => object(parse(JSON.stringify(asyncApi(edition))));

/** Checks messages against the document alone, as a tool of somebody else would. */
class Checker {
  readonly #ajv = new Ajv({ strict: false, validateFormats: false });

  constructor(document: JsonObject) {
    this.#ajv.addSchema(document, 'asyncapi');
  }

  /** The faults of a payload; empty if there are none. */
  faults(message: string, payload: unknown): string[] {
    const check = this.#ajv.compile({ $ref: `asyncapi#/components/messages/${message}/payload` });
    return check(payload)
      ? []
      : (check.errors ?? []).map(({ instancePath, message: text }) => `${instancePath} ${text}`);
  }
}

describe.each(editions)('the AsyncAPI of %s', (_, edition) => {
  const scanner = scannerOf(edition);

  it('is valid AsyncAPI 3', () => {
    expect(official(served(edition)) ? [] : official.errors).toEqual([]);
  });

  it('is served', async () => {
    const response = await fetch(`${scanner()}/asyncapi.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual(served(edition));
  });

  it('has no reference without a target, and no message and no schema that nothing refers to', () => {
    const document = served(edition);
    const targets = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    const at = (path: string) =>
      path.split('/').reduce<unknown>((found, step) => object(found)[step.replaceAll('~1', '/')], document);
    expect(targets.filter((path) => at(path) === undefined)).toEqual([]);
    const { messages, schemas } = object(document.components);
    const there = [
      ...Object.keys(object(messages)).map((name) => `components/messages/${name}`),
      ...Object.keys(object(schemas)).map((name) => `components/schemas/${name}`),
    ];
    expect(there.filter((path) => !targets.includes(path))).toEqual([]);
  });

  it('has two messages for each event of the edition, and no channel for events if there are none', () => {
    const { channels, components } = asyncApi(edition);
    const events = [...eventsOf(edition).keys()];
    expect(Object.keys(channels)).toEqual([...(events.length > 0 ? ['events'] : []), 'changes', 'scans']);
    const ofEvents = Object.keys(components.messages).filter((name) => /(?:Registered|Changed)$/.test(name));
    expect(ofEvents).toEqual(events.flatMap((name) => [`${name}Registered`, `${name}Changed`]));
  });

  it('has WebSockets over TLS if the release has HTTPS', () => {
    const names = Object.keys(asyncApi(edition).servers);
    expect(names).toEqual(isFrom(edition.release, '2.1.0') ? ['http', 'https'] : ['http']);
  });

  it('has an address without a variable that is not declared', () => {
    const variablesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { host, pathname, variables } of Object.values(asyncApi(edition).servers))
      expect(variablesIn(host + pathname)).toEqual(Object.keys(variables));
  });

  it('has the schemas of the OpenAPI that its messages need', () => {
    const { schemas, messages } = asyncApi(edition).components;
    const ofRest = openApi(edition).components.schemas;
    const needed = new Set<string>();
    const follow = (part: unknown) => {
      for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
        if (needed.has(name)) continue;
        needed.add(name);
        follow(object(ofRest)[name]);
      }
    };
    follow(messages);
    expect([...needed].sort()).toEqual(expect.arrayContaining([...extensionsOf(edition).keys()].sort()));
    expect(Object.keys(schemas).sort()).toEqual([...needed].sort());
    expect(ofRest).toMatchObject(schemas);
  });

  it('has examples that its schemas accept', () => {
    const checker = new Checker(served(edition));
    for (const [name, { examples = [] }] of Object.entries(asyncApi(edition).components.messages))
      for (const { payload } of examples) expect(checker.faults(name, payload), name).toEqual([]);
  });
});

test('a document that is not valid is refused', () => {
  expect(official({ ...served(newest), operations: { register: { action: 'listen' } } })).toBe(false);
  expect(official({ ...served(newest), info: { title: 'No version' } })).toBe(false);
});

describe('messages of a scanner', () => {
  const checker = new Checker(served(newest));

  it('are as described: each registration, a change, and refusals', async () => {
    const scanner = await TestScanner.start({ release: newestRelease });
    const socket = await openSocket(scanner.httpPort);
    const ask = async (message: unknown) => {
      socket.send(typeof message === 'string' ? message : JSON.stringify(message));
      return object(await socket.nextJson());
    };
    for (const event of eventsOf(newest).keys()) {
      const message = { type: 'register', event, clientId: 1, options: { queue: { priority: 'HIGH' } } };
      expect(checker.faults('register', message)).toEqual([]);
      expect(checker.faults(`${event}Registered`, await ask(message)), event).toEqual([]);
      const end = { type: 'deregister', event, clientId: 1 };
      expect(checker.faults('deregister', end)).toEqual([]);
      socket.send(JSON.stringify(end));
    }
    for (const wrong of ['{', { type: 'x' }, { type: 'register', event: 'X', clientId: 2 }])
      expect(checker.faults('refused', await ask(wrong))).toEqual([]);
    await ask({ type: 'register', event: 'LSPdatetime', clientId: 3 });
    scanner.clock.advance(1000);
    expect(checker.faults('LSPdatetimeChanged', await socket.nextJson())).toEqual([]);
  });

  it('on /x/events are as described', async () => {
    const scanner = await TestScanner.start();
    const socket = await openSocket(scanner.httpPort, { path: '/x/events' });
    await scanner.client().write('LocationName', 'Gate 3');
    expect(checker.faults('changes', await socket.nextJson())).toEqual([]);
  });

  it.each([
    ['CurrentTempDevChanged', { type: 'event', event: 'CurrentTempDev', clientId: 1, status: 0 }],
    [
      'CurrentTempDevChanged',
      { type: 'event', event: 'CurrentTempDev', clientId: 1, status: 0, data: { CurrentTempDev: 'warm' } },
    ],
    [
      'register',
      { type: 'register', event: 'LSPdatetime', clientId: 1, options: { queue: { maxSize: 1001 } } },
    ],
    ['register', { type: 'register', event: 'LocationName', clientId: 1 }],
    ['refused', { type: 'register', status: 0, error: 'x' }],
    ['changes', { changed: { LocationName: 3 } }],
    ['changes', { changed: {} }],
    ['lost', { lost: 0 }],
  ])('are refused by the schema of %s if they differ: %j', (message, payload) => {
    expect(checker.faults(message, payload)).not.toEqual([]);
  });
});

test('a scanner of one’s own has its own events in the AsyncAPI', async () => {
  const scanner = await TestScanner.start({ product: madeUpProduct().product });
  const { text } = await scanner.client().send({ method: 'GET', path: '/asyncapi.json' });
  const document = object(parse(text));
  expect(official(document) ? [] : official.errors).toEqual([]);
  expect(document).toMatchObject({
    info: { title: 'Events of acmeProf, release 5.10.0, variant full', version: '5.10.0' },
    channels: { events: { messages: { LaserHoursChanged: {}, LaserLimitRegistered: {} } } },
    components: {
      schemas: { LaserLimit: { minimum: 10, maximum: 1000, 'x-unit': 'mW' } },
    },
  });
  const socket = await openSocket(scanner.httpPort);
  socket.send('{"type":"register","event":"LaserHours","clientId":1}');
  expect(new Checker(document).faults('LaserHoursRegistered', await socket.nextJson())).toEqual([]);
});
