import type { LogEntry } from '@azimuth/monitor';
import { CommandFailure } from '../command-failure.js';
import { jsonText, print } from '../output/output.js';
import { type PlannedOutput, plannedOutputs } from './monitor-outputs.js';
import type { MonitorPlan } from './monitor-plan.js';

/** Ms that an output may take. */
const longestTest = 15_000;

/** Outcome of a test entry. */
interface Result {
  readonly output: string;
  readonly address: string;
  /** Undefined if the entry was sent. */
  readonly failure: string | undefined;
}

/** Sends one entry through each output, whatever its filter is, and prints what came back. @throws CommandFailure */
export async function testOutputs(plan: MonitorPlan, isJson: boolean): Promise<void> {
  const outputs = plannedOutputs(plan);
  if (outputs.length === 0)
    throw new CommandFailure('there is nothing to test: the monitor file has no outputs');
  const results = await Promise.all(outputs.map(resultOf));
  const lines = results.map(({ output, address, failure }) =>
    isJson ? jsonText({ output, address, failure }) : `${output}: ${failure ?? `sent to ${address}`}`,
  );
  await print(`${lines.join('\n')}\n`);
  if (results.some(({ failure }) => failure !== undefined))
    throw new CommandFailure('not every output works', 'refused');
}

async function resultOf({ name, address, open }: PlannedOutput): Promise<Result> {
  const failed = new AbortController();
  let failure: string | undefined;
  const output = await open((text) => {
    failure ??= text;
    failed.abort();
  }, {});
  // The first failure is what the operator wants to know.
  const end = () => void output.close(0);
  failed.signal.addEventListener('abort', end);
  if (failed.signal.aborted) end();
  output.accept(testEntry(name));
  await output.close(longestTest);
  if (output.counts.delivered > 0) return { output: name, address, failure: undefined };
  return { output: name, address, failure: failure ?? `no response within ${longestTest / 1000} s` };
}

function testEntry(output: string): LogEntry {
  const text = `This is a test of the output ${output}: azimuth monitor can reach you`;
  return { kind: 'monitor', at: Date.now(), scanner: '', text };
}
