import { setTimeout as pause } from 'node:timers/promises';
import { counted, isObject } from '@azimuth/model';
import type { JournalEntry } from '@azimuth/simulation/journal';
import { CommandFailure } from '../command-failure.js';
import { Command } from '../options/command.js';
import type { TargetOutput } from '../scanners/target-output.js';
import type { ControlPort, SimRun } from './control-port.js';

/** ms between two questions with `--follow`. */
const followInterval = 250;
/** Entries of one answer. */
const mostAtOnce = 1000;

interface JournalOptions {
  readonly since?: string;
  readonly follow?: boolean;
}

/** `azimuth sim journal`: what clients have done to the scanner. */
export function journalCommand(run: SimRun): Command {
  const command = new Command('journal')
    .summary('print what clients have done to the scanner')
    .description(
      'Print what clients have done to the scanner, the oldest first: requests, legacy telegrams, registrations for events, file transfers. Secrets are left out. The scanner keeps the last 10,000 entries.',
    )
    .option('--since <number>', 'only entries after the one with this number')
    .option('--follow', 'go on with new entries, until Ctrl-C')
    .action(async () => {
      const { since = '0', follow = false } = command.opts<JournalOptions>();
      if (!/^\d{1,15}$/.test(since)) throw new CommandFailure(`--since: expected a number, got "${since}"`);
      await run(command.allOptions(), (port, output) => printFrom(port, output, Number(since), follow));
    });
  return command
    .withControlOptions()
    .withExamples(
      'azimuth sim journal',
      'azimuth sim journal --follow',
      'azimuth sim journal --since 120 --json',
    );
}

async function printFrom(
  port: ControlPort,
  output: TargetOutput,
  since: number,
  follow: boolean,
): Promise<void> {
  const { textOfEntry } = await import('@azimuth/simulation/journal');
  for (let seen = since; ; ) {
    const { entries = [], last, dropped } = await port.read(`journal?since=${seen}&limit=${mostAtOnce}`);
    const listed = Array.isArray(entries) ? entries.filter(isEntry) : [];
    if (typeof dropped === 'number' && dropped > seen)
      output.remark(`${counted(dropped - seen, 'entry', 'entries')} before are no longer kept`);
    for (const entry of listed)
      await output.print(entry, () => [`${secondsOf(entry)}  ${textOfEntry(entry)}`]);
    seen = listed.at(-1)?.number ?? seen;
    if (typeof last === 'number' && last > seen && listed.length > 0) continue;
    if (!follow) return;
    await pause(followInterval);
  }
}

/** Time of the scanner in s, in a column. */
function secondsOf({ time }: JournalEntry): string {
  return (time / 1000).toFixed(3).padStart(10);
}

/** True for what a control port of this version gives. */
function isEntry(json: unknown): json is JournalEntry {
  return isObject(json) && typeof json.number === 'number' && typeof json.time === 'number';
}
