import { createServer, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { latch } from '../../../../tests/support/waiting.js';
import { Forwarding } from '../../src/gateway/forwarding.js';
import { WorkerConnections } from '../../src/index.js';
import { key, placeOf, standIn } from './gateway-and-workers.js';

const log = { info() {}, warn() {}, error() {} };

test('all is answered with the last answer, and not with the first, and with those that came meanwhile', async () => {
  const asked: ServerResponse[] = [];
  const worker = await standIn((_, response) => void asked.push(response));
  const forwarding = new Forwarding({
    routes: {
      scanners: new Map([['1', { serial: '1', group: 'hall', release: '2.4.4' }]]),
      workers: [worker],
      workerOf: () => worker,
      look: async () => undefined,
    },
    connections: new WorkerConnections({ key }),
    patience: 2000,
    log,
  });
  onTestFinished(() => forwarding.close());
  const { url } = await placeOf(
    createServer((request, response) => void forwarding.answer('1', request, response)),
  );
  const answers: Promise<Response>[] = [];
  const askOneMore = async () => {
    answers.push(fetch(`${url}/scanners/1/api/SerialNumber`));
    await expect.poll(() => asked.length).toBe(answers.length);
  };
  await askOneMore();
  await askOneMore();
  const over = latch();
  let isOver = false;
  void forwarding.allAnswered().then(() => {
    isOver = true;
    over.open();
  });
  const answerFirst = async () => {
    asked.shift()?.end('{}');
    const [answer] = answers.splice(0, 1);
    expect((await answer)?.status).toBe(200);
    await new Promise(setImmediate);
  };
  await answerFirst();
  expect(isOver).toBe(false);
  await askOneMore();
  await answerFirst();
  expect(isOver).toBe(false);
  await answerFirst();
  await over.opened;
  expect(isOver).toBe(true);
  await forwarding.allAnswered();
});
