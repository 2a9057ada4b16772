import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readAsFastAsWritten } from '../../src/mcp/flow.js';
import type { Transport } from '../../src/mcp/sdk.js';

test('while answers wait for the client, none of its messages are read', async () => {
  const transport: Pick<Transport, 'onmessage'> = {};
  const input = new PassThrough().resume();
  const output = new PassThrough({ highWaterMark: 10 });
  const stop = readAsFastAsWritten(transport, input, output);
  const message = () => transport.onmessage?.({ jsonrpc: '2.0', id: 1, method: 'ping' });
  message();
  expect(input.isPaused()).toBe(false);
  output.write('an answer of many characters');
  message();
  expect(input.isPaused()).toBe(true);
  output.resume();
  await expect.poll(() => input.isPaused()).toBe(false);
  stop();
  expect(output.listenerCount('drain')).toBe(0);
});
