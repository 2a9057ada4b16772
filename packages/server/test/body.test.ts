import { createServer, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { number } from '../../../tests/support/json.js';
import { Bodies } from '../src/http/bodies.js';
import { type Payload, payloadOf } from '../src/rest/envelope.js';

const limit = 1024 * 1024;
const deepest = 4;
const nothing = { header: undefined, data: undefined };

interface Reading {
  readonly payload?: Payload;
  readonly error?: unknown;
  /** Was the request read to its end? */
  readonly drained: boolean;
}

/** Sends a body in these parts, chunked where there are several, and answers what is read of it. */
async function read(
  parts: readonly (string | Buffer)[],
  headers: Record<string, string> = {},
): Promise<Reading> {
  const server = createServer();
  onTestFinished(() => {
    server.close();
  });
  const reading = new Promise<Reading>((resolve) => {
    server.on('request', (incoming, response) => {
      const done = (result: Omit<Reading, 'drained'>) => {
        response.end();
        resolve({ ...result, drained: incoming.readableEnded });
      };
      new Bodies(limit, limit)
        .read(incoming)
        .then((body) => payloadOf(body, deepest))
        .then(
          (payload) => done({ payload }),
          (error: unknown) => done({ error }),
        );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = number(typeof address === 'object' ? address?.port : undefined);
  const outgoing = request({ host: '127.0.0.1', port, method: 'POST', headers });
  for (const part of parts) outgoing.write(part);
  outgoing.end();
  return reading;
}

test.each(['', ' ', '\r\n', 'null', ' null ', '{}'])(
  'the body "%s" means that there is no payload',
  async (text) => {
    expect((await read([text])).payload).toEqual(nothing);
  },
);

test('header and data come as they were sent, in either order, and nothing else does', async () => {
  const payload = { header: { user: 'Service' }, data: { LocationName: 'Gäte ☃ 😀' } };
  expect((await read([JSON.stringify(payload)])).payload).toEqual(payload);
  const text = JSON.stringify({ data: payload.data, other: 1, header: payload.header });
  expect((await read([text])).payload).toEqual(payload);
  expect((await read(['{"data":null}'])).payload).toEqual({ header: undefined, data: null });
  expect((await read(['{"__proto__":{"data":1},"constructor":2}'])).payload).toEqual(nothing);
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'nonsense'])(
  'the Content-Type %s makes no difference',
  async (type) => {
    expect((await read(['{"data":1}'], { 'Content-Type': type })).payload).toEqual({ ...nothing, data: 1 });
  },
);

test.each(['[]', '"text"', '7', 'true', '{', '{"data":}', "{'data':1}", '{} {}', '{"data":01}', 'NaN'])(
  'the body %s is status 1',
  async (text) => {
    expect((await read([text])).error).toMatchObject({ status: 'parsingFailed' });
  },
);

test('bytes that are no UTF-8 are no JSON: status 1, and nothing is made up for them', async () => {
  const body = [Buffer.from('{"data":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')];
  expect((await read(body)).error).toMatchObject({ status: 'parsingFailed' });
});

test('a character cut in two by chunks is whole again', async () => {
  const bytes = Buffer.from('{"data":"😀"}');
  const parts = Array.from(bytes, (byte) => Buffer.from([byte]));
  expect((await read(parts)).payload).toEqual({ ...nothing, data: '😀' });
});

test('a body of exactly 1 MiB is read, one byte more is refused', async () => {
  const body = (length: number) => `{"data":"${'x'.repeat(length - '{"data":""}'.length)}"}`;
  expect((await read([body(limit)])).payload?.data).toHaveLength(limit - 11);
  const tooLong = await read([body(limit + 1)]);
  expect(tooLong.error).toMatchObject({
    name: 'BodyRefused',
    message: expect.stringContaining('1048576'),
  });
  expect(tooLong.drained).toBe(true);
});

test('a body far too long is drained to its end, with and without its length stated', async () => {
  const part = Buffer.alloc(limit, 0x20);
  const parts = Array.from({ length: 20 }, () => part);
  for (const headers of [{}, { 'Content-Length': String(20 * limit) }]) {
    const reading = await read(parts, headers);
    expect(reading.error).toMatchObject({ name: 'BodyRefused' });
    expect(reading.drained).toBe(true);
  }
});

test('blanks around JSON count for the limit', async () => {
  expect((await read([' '.repeat(limit + 1)])).error).toMatchObject({ name: 'BodyRefused' });
  expect((await read([' '.repeat(limit)])).payload).toEqual(nothing);
});

test.each([2, 300, 100_000])(
  'a body that is nested deeper than it may be by %i is status 1',
  async (more) => {
    const nested = (depth: number) => `{"data":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const { error } = await read([nested(deepest + more)]);
    expect(error).toMatchObject({
      status: 'parsingFailed',
      message: expect.stringContaining('nested deeper'),
    });
    expect((await read([nested(deepest - 1)])).error).toBeUndefined();
  },
);

test('brackets in texts and in names are no depth', async () => {
  const text = '[{'.repeat(100);
  const payload = { header: undefined, data: { [text]: `\\" ${text}`, b: [`${text}\\`] } };
  for (const blanks of ['', ' '.repeat(20_000)]) {
    const { data } = (await read([JSON.stringify(payload) + blanks])).payload ?? {};
    expect(data).toEqual(payload.data);
  }
});

test('large bodies are refused for the same as small ones, and hold the same', async () => {
  const blanks = ' '.repeat(20_000);
  const wrong = [
    '[]',
    '7',
    '{',
    '{"data":}',
    "{'data':1}",
    '{} {}',
    '{"data":01}',
    '{"data":1.}',
    '{"data":-}',
  ];
  const texts = ['{"data":"\\x"}', '{"data":"\\u12g4"}', '{"data":"a\nb"}', '{"data":[1,]}', '{"data":1,}'];
  for (const text of [...wrong, ...texts, '{"data":tru}', '{"data":nul']) {
    expect((await read([text + blanks])).error, text).toMatchObject({ status: 'parsingFailed' });
  }
  for (const text of ['null', '', '{}']) expect((await read([text + blanks])).payload).toMatchObject(nothing);
  const twice = `{"header":1,"data":1,"d\\u0061ta":[-0.5e+3,true,null,"ä\\n"],"header":{"user":"x"}}`;
  const { header, data } = (await read([twice + blanks])).payload ?? {};
  expect([header, data]).toEqual([{ user: 'x' }, [-500, true, null, 'ä\n']]);
});
