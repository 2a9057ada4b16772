import { TimingAnalysis, type TimingReport } from '@azimuth/client/timing';
import { InvalidArgumentError, Option } from 'commander';
import { CommandFailure, exitCodes } from '../command-failure.js';
import type { Command } from '../options/command.js';
import { millisecondsIn } from '../options/option-values.js';
import { jsonText, print, remark, untilInterrupted } from '../output/output.js';
import { type SourceOptions, sourceScanner, withSourceOptions, withSources } from '../scan-data/sources.js';
import { scannerAt } from '../scanners/connection.js';
import { fileNameFor } from '../scanners/file-per-scanner.js';
import { askedScanner, lastSaid } from '../timing/asked-scanner.js';
import { readStreams } from '../timing/recorded-streams.js';
import { reportJson, reportLines, type SeenSource } from '../timing/report-text.js';
import { watchStreams } from '../timing/watched-streams.js';
import { OutputFile, requireFolder, standardOutput } from '../transfers/output-file.js';
import { ProgressLine } from '../transfers/progress.js';

export function defineCommand(command: Command): Command {
  command
    .description(
      `Judge the times of scan, IMU and encoder data: order, overlap, gaps, jitter, drift, steps, and how old beams are when they arrive. A line for each finding says why, and what to do. Ctrl-C ends it early, with what was seen. If there are findings, the exit code is ${exitCodes.differs.code}.`,
    )
    .argument('[file]', 'recording to judge instead of live data (.azrec, pcap, pcapng)')
    .addOption(
      new Option('--for <duration>', 'how long to watch: 30s, 10min (seconds without a unit)')
        .argParser(watchTime)
        .default(60_000, '60s'),
    )
    .option('--utc', 'expect UTC stamps: uptime stamps are a finding, also of a scanner that is not asked')
    .option('--png <file>', 'write a picture of stamps against arrivals to this file (PNG)')
    .action((file: string | undefined) => timing(file, command.allOptions()));
  return withSourceOptions(command.withDeviceOptions())
    .withForce()
    .withProgress()
    .withExamples(
      'azimuth timing --device http://192.168.0.1',
      'azimuth timing --aim --for 10min --png timing.png',
      'azimuth timing --listen 2115 --utc --json',
      'azimuth timing hall.pcap',
    );
}

/** Largest time to watch in ms. */
const longestWatch = 7 * 86_400_000;

function watchTime(typed: string): number {
  const milliseconds = /^[\d.]+$/.test(typed) ? Number(typed) * 1000 : millisecondsIn(typed);
  if (milliseconds !== undefined && milliseconds >= 100 && milliseconds <= longestWatch) return milliseconds;
  throw new InvalidArgumentError('Expected a time from 100ms to 7d, for example 60s.');
}

interface TimingOptions extends SourceOptions {
  /** ms. */
  readonly for: number;
  readonly utc?: boolean;
  readonly png?: string;
  readonly force?: boolean;
  readonly progress?: boolean;
}

/** What an analysis has seen, and of what. */
interface Seen {
  readonly analysis: TimingAnalysis;
  readonly report: TimingReport;
  readonly source: SeenSource;
}

async function timing(file: string | undefined, options: TimingOptions): Promise<void> {
  if (
    file !== undefined &&
    (options.listen !== undefined || options.aim === true || options.device !== undefined)
  ) {
    throw new CommandFailure('a file is judged alone: leave out --device, --listen and --aim');
  }
  if (file !== undefined) {
    const picture = await pictureFile(options, undefined);
    await show(await seenInFile(file, options), options, picture);
    return;
  }
  const target = await sourceScanner(options, 'timing');
  const picture = await pictureFile(options, target);
  await untilInterrupted(async (signal) => {
    const seen = await withSources(
      { ...options, target, everybody: true },
      ['scan', 'imu', 'encoder'],
      signal,
      async ({ title, sources, leftOut }) => {
        for (const line of leftOut) remark(line);
        const ask = async () => (target === undefined ? undefined : askedScanner(scannerAt(target)));
        const before = await ask();
        const analysis = new TimingAnalysis({ watchesComputer: true });
        const progress = new ProgressLine(process.stderr, options.progress === true);
        const percent = progress.percentOf('watching');
        const end = await watchStreams({
          sources,
          analysis,
          duration: options.for,
          progress: (share) => percent(100 * share),
          now: () => performance.timeOrigin + performance.now(),
        });
        progress.end();
        const where = sources.map(({ label }) => label).join(', ');
        const after = await ask();
        const asked = before === undefined || after === undefined ? after : lastSaid(before, after);
        return seenBy(analysis, { title, asked, isFile: false }, { end, where, options });
      },
    );
    await show(seen, options, picture);
  });
}

async function seenInFile(file: string, options: TimingOptions): Promise<Seen> {
  const analysis = new TimingAnalysis();
  const damage = await readStreams(file, analysis);
  if (damage !== undefined) remark(damage);
  const source = { title: file, asked: undefined, isFile: true };
  return seenBy(analysis, source, { end: undefined, where: file, options });
}

/** @throws CommandFailure if there was nothing to see */
function seenBy(
  analysis: TimingAnalysis,
  source: SeenSource,
  { end, where, options }: { end: number | undefined; where: string; options: TimingOptions },
): Seen {
  const { asked } = source;
  const expected = options.utc === true ? { ...asked, expectsUtc: true } : asked;
  const report = analysis.report({ now: end, asked: expected });
  if (report.telegrams === 0 && report.damaged === 0) {
    const hint = source.isFile ? '' : '; azimuth doctor says why nothing comes';
    throw new CommandFailure(`no telegram came from ${where}${hint}`, 'unreachable');
  }
  return { analysis, report, source };
}

async function pictureFile(
  { png, force = false }: TimingOptions,
  target: Awaited<ReturnType<typeof sourceScanner>>,
): Promise<OutputFile | undefined> {
  if (png === undefined) return undefined;
  if (png === standardOutput) {
    throw new CommandFailure('the report goes to standard output: name a file after --png');
  }
  const path = fileNameFor(png, target);
  await requireFolder(path);
  return OutputFile.at(path, force);
}

async function show(
  { report, source, analysis }: Seen,
  options: TimingOptions,
  picture: OutputFile | undefined,
): Promise<void> {
  if (picture !== undefined) {
    const { timingPicture } = await import('../timing/timing-picture.js');
    const { encodePng } = await import('../picture/png.js');
    const bytes = encodePng(timingPicture(analysis, report, source.title));
    async function* pieces() {
      yield bytes;
    }
    await picture.write(pieces());
  }
  const lines = options.json === true ? [jsonText(reportJson(report, source))] : reportLines(report, source);
  await print(`${lines.join('\n')}\n`);
  if (report.findings.length > 0) process.exitCode = exitCodes.differs.code;
}
