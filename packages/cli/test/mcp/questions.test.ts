import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import { commandTable } from '../../src/all-commands.js';
import { mcpServer } from '../../src/mcp/mcp-server.js';

/** A client whose person is away at first, and then declines each question: no command runs. */
async function askedClient(program = '/nowhere') {
  const server = await mcpServer(
    {
      program: [program],
      commands: commandTable,
      defaults: { device: 'http://127.0.0.1:9', control: 'http://127.0.0.1:9' },
      environment: {},
    },
    new AbortController().signal,
  );
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } } },
  );
  const questions: string[] = [];
  const person = new EventEmitter();
  const back = once(person, 'back');
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    questions.push(params.message);
    await back;
    return { action: 'decline' };
  });
  const [ofClient, ofServer] = InMemoryTransport.createLinkedPair();
  await server.connect(ofServer);
  await client.connect(ofClient);
  onTestFinished(() => client.close());
  const call = async (name: string, inputs: Record<string, unknown>, signal?: AbortSignal) => {
    const { content } = CallToolResultSchema.parse(
      await client.callTool({ name, arguments: inputs }, undefined, { signal }),
    );
    return content.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n');
  };
  const set = (value: string, signal?: AbortSignal) =>
    call('set', { name: 'LocationName', value: [value] }, signal);
  return { call, set, questions, personComesBack: () => person.emit('back') };
}

test('a person gets one question at a time, however many calls there are', async () => {
  const { set, questions, personComesBack } = await askedClient();
  const cancel = new AbortController();
  const first = set('gate-0');
  const cancelled = set('gate-1', cancel.signal).catch(() => 'cancelled');
  const others = Array.from({ length: 15 }, (_, index) => set(`gate-${index + 2}`));
  expect(await set('one-too-many')).toContain('16 calls wait already');
  expect(questions).toEqual([expect.stringContaining('gate-0')]);
  cancel.abort();
  personComesBack();
  expect(await first).toContain('the person did not confirm it');
  expect(await cancelled).toBe('cancelled');
  await Promise.all(others);
  expect(questions).toHaveLength(16);
  expect(questions.filter((question) => question.endsWith(' gate-1'))).toEqual([]);
});

test('a command line that nobody reads to its end is not asked about', async () => {
  const { set, questions } = await askedClient();
  expect(await set('x'.repeat(5000))).toMatch(/nobody reads a command line of \d+ characters/);
  expect(questions).toEqual([]);
});

test('an assistant gets the names of scanners, but not where their passwords are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'program.cjs');
  const listed = [{ name: 'gate1', passwordCommand: 'printf hunter2', passwordFile: '/root/service.txt' }];
  writeFileSync(program, `console.log(${JSON.stringify(JSON.stringify(listed))})`);
  const { call } = await askedClient(program);
  expect(await call('devices', {})).toBe('[{"name":"gate1"}]');
});
