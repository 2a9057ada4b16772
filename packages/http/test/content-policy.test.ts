import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { setPolicy } from '../src/content-policy.js';
import { ResponseWithPolicy } from '../src/responses.js';

const policy = "default-src 'none'";

async function answerOf(
  respond: (response: ServerResponse) => void,
  ServerResponse?: typeof ResponseWithPolicy,
): Promise<Headers> {
  const server = createServer({ ServerResponse }, (_, response) => {
    setPolicy(response, policy);
    respond(response);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens at a port');
  const { headers } = await fetch(`http://127.0.0.1:${address.port}/`, { headers: { Connection: 'close' } });
  return headers;
}

test.each<[string, (response: ServerResponse) => void]>([
  ['a list', (response) => response.writeHead(200, ['X-Own', '1']).end('{}')],
  ['an object', (response) => response.writeHead(200, { 'X-Own': '1' }).end('{}')],
  ['an object and a reason', (response) => response.writeHead(200, 'Fine', { 'X-Own': '1' }).end('{}')],
  ['single headers', (response) => response.setHeader('X-Own', '1').end('{}')],
])('a response has its policy beside headers that are %s', async (_, respond) => {
  for (const type of [ResponseWithPolicy, undefined]) {
    const headers = await answerOf(respond, type);
    expect([headers.get('content-security-policy'), headers.get('x-own')]).toEqual([policy, '1']);
  }
});

test.each([[{ 'Content-Security-Policy': 'sandbox' }], [['Content-Security-Policy', 'sandbox']]])(
  'a policy of the response itself wins: %j',
  async (own) => {
    const headers = await answerOf((response) => response.writeHead(200, own).end(), ResponseWithPolicy);
    expect(headers.get('content-security-policy')).toBe('sandbox');
  },
);
