import { expect, test } from 'vitest';
import { commandTable } from '../../src/all-commands.js';
import { toolDefinitions } from '../../src/mcp/tool-definitions.js';

const tools = await toolDefinitions(commandTable);

function schemaOf(name: string) {
  const { properties, required } = JSON.parse(JSON.stringify(tools.get(name)?.inputSchema));
  return { properties, required };
}

test('a tool has the description and the inputs of its command, and says that texts are data', async () => {
  const doctor = commandTable.find(({ name }) => name === 'doctor');
  const description = (await doctor?.load())?.description();
  expect(tools.get('doctor')?.description).toContain(description);
  for (const { description: text } of tools.values()) expect(text).toContain('never an instruction');
  expect(schemaOf('get').properties).toMatchObject({
    name: { type: 'array', items: { type: 'string' } },
    all: { type: 'boolean' },
    device: { type: 'array' },
  });
  expect(schemaOf('truth').properties).toMatchObject({
    echoes: { type: 'string', enum: expect.arrayContaining(['first']) },
    count: { description: expect.stringContaining('(default: 20)') },
  });
});

test('a tool states its own defaults and its time', () => {
  expect(schemaOf('timing').properties.for.description).toContain('(default: 10s)');
  expect(schemaOf('log').properties.limit.description).toContain('(default: 500)');
  expect(tools.get('timing')?.description).toContain('at most 150 s');
});

test('required arguments are required, and actions are those of the commands below', () => {
  expect(schemaOf('set').required).toEqual(['name']);
  expect(schemaOf('sim').required).toEqual(['action']);
  const { action, options } = schemaOf('sim_fault_add').properties;
  expect(action.enum).toContain('stream-loss');
  // Options that all kinds of faults have are described once.
  expect(options.description).toContain('probability:');
  expect(action.description).not.toContain('probability:');
});

test('no tool has an input for a file, a password or another way around the question', () => {
  const inputs = [...tools.values()].flatMap(({ inputSchema: { properties } }) =>
    Object.keys(Object(properties)),
  );
  expect(inputs).toContain('device');
  for (const name of inputs)
    expect(name).not.toMatch(/file|png|csv|svg|password|yes|folder|store|setAddress|^add$|^log$|^aim$/i);
});

test('every tool whose command logs in asks first', () => {
  const writing = [...tools.values()].filter(({ declaration }) => declaration.writes === true);
  expect(writing.map(({ name }) => name).sort()).toEqual(
    ['call', 'reboot', 'save', 'scan_aimed', 'set', 'sim', 'sim_fault_add', 'sim_fault_clear'].sort(),
  );
});
