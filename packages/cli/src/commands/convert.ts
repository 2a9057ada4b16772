import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { counted } from '@azimuth/model';
import { RecordingError } from '@azimuth/telegrams';
import { CommandFailure, systemErrorText, unreadable } from '../command-failure.js';
import type { Command } from '../options/command.js';
import { jsonText, remark } from '../output/output.js';
import { programVersion } from '../program-version.js';
import { makeParentFolder, requireFolder } from '../transfers/output-file.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      [
        'Convert a recording to another format. What is read is recognised by its content: an Azimuth recording, a capture',
        '(pcap, pcapng), an MCAP file of any program, or a folder of rosbag2. The name of the new file decides its format:',
        '.azrec, .pcap, .pcapng and .mcap keep each telegram of a scanner; .csv and .pcd have its points.',
      ].join(' '),
    )
    .argument('<from>', 'recording to read')
    .argument('<to>', 'file to write')
    .option('--topic <name>', 'topic of an MCAP file whose scans are converted (default: a LaserScan first)')
    .option('--json', 'print the result as JSON')
    .action((from: string, to: string) => convert(from, to, command.allOptions()))
    .withForce()
    .withExamples(
      'azimuth convert hall.azrec hall.mcap',
      'azimuth convert hall.mcap hall.pcapng',
      'azimuth convert robot.mcap points.csv --topic /front/scan',
      'azimuth convert bag_folder points.pcd',
    );
}

interface ConvertOptions {
  readonly topic?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

async function convert(from: string, to: string, { topic, force, json }: ConvertOptions): Promise<void> {
  await requireNewFile(from, to, force === true);
  const { convertRecording } = await import('@azimuth/bridge/convert');
  const options = { topic, library: `azimuth ${programVersion()}` };
  const converted = await failuresNamed(() => convertRecording(from, to, options));
  const { count, what, bytes, leftOut, cutAt } = converted;
  if (cutAt !== undefined) remark(`the recording is cut off, and converted up to there: ${cutAt}`);
  if (leftOut > 0) remark(`${counted(leftOut, 'telegram')} left out: damaged, or of an unknown kind`);
  if (json === true) {
    process.stdout.write(
      `${jsonText({ file: to, bytes, [`${what}s`]: count, topic: converted.topic, leftOut })}\n`,
    );
    return;
  }
  const ofTopic = converted.topic === undefined ? '' : ` of ${converted.topic}`;
  remark(`${to}: ${counted(count, what)}${ofTopic}, ${(bytes / 1_000_000).toFixed(1)} MB`);
}

/** @throws CommandFailure for a recording that is not there, and for a file that exists, or is the recording itself */
async function requireNewFile(from: string, to: string, force: boolean): Promise<void> {
  const recording = await stat(from).catch(unreadable(from));
  const stats = await stat(to).catch(() => undefined);
  if (stats === undefined) {
    await requireFolder(to);
    await makeParentFolder(to);
    return;
  }
  if (stats.isDirectory()) throw new CommandFailure(`${to} is a folder`);
  // Two names may be of one file.
  const isSame = recording.ino === stats.ino && recording.dev === stats.dev;
  if (isSame || (recording.isDirectory() && dirname(await realpath(to)) === (await realpath(from)))) {
    throw new CommandFailure(`${to} is the recording itself, or a part of it: name another file`);
  }
  if (!force) throw new CommandFailure(`${to} already exists; use --force to replace it`);
}

/** Names of errors whose message is a line for the user. */
const ofRecordings: ReadonlySet<string> = new Set(['ConvertError', 'McapError', RecordingError.name]);

async function failuresNamed<T>(act: () => T): Promise<T> {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (ofRecordings.has(error.name) || error instanceof RangeError) throw new CommandFailure(error.message);
    if ('errno' in error) throw new CommandFailure(systemErrorText(error), 'output');
    throw error;
  }
}
