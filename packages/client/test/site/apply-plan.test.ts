import { describe, expect, test } from 'vitest';
import { applyPlan, changePlan, RateLimitError } from '../../src/index.js';
import { FakeParameters, refusal, unreachable } from './fake-parameters.js';

const held = {
  LocationName: 'Gate 3',
  ScanDataEnable: false,
  TSCTCupdatetime: 10,
  EnableLongRangeMode: false,
};
const wanted = new Map<string, unknown>([
  ['ScanDataEnable', true],
  ['TSCTCupdatetime', 60],
  ['EnableLongRangeMode', true],
]);
/** In the order in which they are written. */
const writes = ['EnableLongRangeMode=true', 'TSCTCupdatetime=60', 'ScanDataEnable=true'];
const backwards = ['TSCTCupdatetime=10', 'EnableLongRangeMode=false'];

async function run(prepare: (scanner: FakeParameters) => void, signal?: AbortSignal) {
  const scanner = new FakeParameters(held);
  const plan = await changePlan(scanner, wanted);
  prepare(scanner);
  const applied = await applyPlan(scanner, plan, signal === undefined ? {} : { signal });
  return { ...applied, scanner, left: applied.left.map(({ name }) => name) };
}

describe('a plan is carried out', () => {
  test('by writing, reading back and saving, and a second time it does nothing', async () => {
    const { outcome, scanner, written } = await run(() => undefined);
    expect([outcome, written.length]).toEqual(['saved', 3]);
    expect(scanner.requests).toEqual([...writes, 'WriteEeprom']);
    const again = await applyPlan(scanner, await changePlan(scanner, wanted));
    expect(again.outcome).toBe('unchanged');
    expect(scanner.requests).toHaveLength(4);
  });

  test('by a save alone if the values are there, but unsaved', async () => {
    const scanner = new FakeParameters(held);
    for (const [name, value] of wanted) scanner.working.set(name, value);
    const { outcome } = await applyPlan(scanner, await changePlan(scanner, wanted));
    expect([outcome, scanner.requests]).toEqual(['saved', ['WriteEeprom']]);
  });
});

describe('what was written is written back, the last one first, and nothing is saved', () => {
  test('if the scanner refuses a value', async () => {
    const { outcome, failures, left, scanner } = await run((device) => {
      device.onWrite = (name) => {
        if (name === 'ScanDataEnable') throw refusal(name, 6);
      };
    });
    expect(scanner.requests).toEqual([...writes, 'ScanDataEnable=true', ...backwards]);
    expect(outcome).toBe('undone');
    expect(failures.map(({ name, error }) => [name, error?.name])).toEqual([
      ['ScanDataEnable', 'ScannerError'],
    ]);
    expect(left).toEqual([]);
    expect(Object.fromEntries(scanner.working)).toEqual(held);
  });

  test('if the scanner has another value than it was given', async () => {
    const { outcome, failures, scanner } = await run((device) => {
      device.onWrite = (name, value) => {
        if (name === 'TSCTCupdatetime' && value === 60) queueMicrotask(() => device.working.set(name, 59));
      };
    });
    expect([outcome, failures.map(({ name }) => name)]).toEqual(['undone', ['TSCTCupdatetime']]);
    expect(Object.fromEntries(scanner.working)).toEqual(held);
    expect(scanner.requests).not.toContain('WriteEeprom');
  });

  test.each([
    [
      'with a status',
      (device: FakeParameters) => (device.onSave = () => throwing(refusal('WriteEeprom', 3))),
    ],
    ['with its response', (device: FakeParameters) => (device.saveResponse = { Success: false })],
    [
      'because it is asked too often',
      (device: FakeParameters) => (device.onSave = () => throwing(new RateLimitError('WriteEeprom', 9000))),
    ],
  ])('if the scanner refuses to save: %s', async (_, prepare) => {
    const { outcome, failures, scanner } = await run(prepare);
    expect([outcome, failures[0]?.name]).toEqual(['undone', '']);
    expect(failures[0]?.reason).toContain('WriteEeprom');
    expect(Object.fromEntries(scanner.working)).toEqual(held);
  });

  test('if it is stopped', async () => {
    const stop = new AbortController();
    const { outcome, failures, scanner } = await run((device) => {
      device.onWrite = () => stop.abort();
    }, stop.signal);
    expect(scanner.requests).toEqual(['EnableLongRangeMode=true', 'EnableLongRangeMode=false']);
    expect([outcome, failures[0]?.reason]).toEqual(['undone', 'stopped before']);
  });
});

describe('what cannot be written back is told', () => {
  test('if the scanner dies', async () => {
    const { outcome, failures, left } = await run((device) => {
      device.onWrite = (name) => {
        if (name !== 'EnableLongRangeMode' || device.requests.length > 1) throw unreachable();
      };
    });
    expect(outcome).toBe('undone');
    expect(failures.map(({ name }) => name)).toEqual(['TSCTCupdatetime']);
    // The second one may have arrived.
    expect(left).toEqual(['EnableLongRangeMode', 'TSCTCupdatetime']);
  });

  test('if the scanner refuses the value that it had', async () => {
    const { left } = await run((device) => {
      device.onWrite = (name, value) => {
        if (name === 'ScanDataEnable' || value === 10) throw refusal(name, 6);
      };
    });
    expect(left).toEqual(['TSCTCupdatetime']);
  });
});

test('a save without an answer is not known to be done: the values stay', async () => {
  const { outcome, scanner } = await run((device) => (device.onSave = () => throwing(unreachable())));
  expect(outcome).toBe('unknown');
  expect(scanner.requests).toEqual([...writes, 'WriteEeprom']);
});

test('nothing is written if a value has changed since the plan was made', async () => {
  const { outcome, failures, scanner } = await run((device) => device.working.set('TSCTCupdatetime', 11));
  expect([outcome, scanner.requests]).toEqual(['undone', []]);
  expect(failures).toEqual([{ name: 'TSCTCupdatetime', reason: 'it has changed since the plan was made' }]);
});

function throwing(error: Error): never {
  throw error;
}
