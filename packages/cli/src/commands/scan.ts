import type { Frame } from '@azimuth/client';
import { Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import type { Command } from '../options/command.js';
import { numberOption, wholeNumberOption } from '../options/option-values.js';
import { print, printable, remark, untilInterrupted } from '../output/output.js';
import { pictureRange } from '../picture/echoes.js';
import { encodePng } from '../picture/png.js';
import { polarPicture } from '../picture/polar-picture.js';
import { encodeSvg } from '../picture/svg.js';
import { terminalPicture } from '../picture/terminal-picture.js';
import { frameCsv, frameJson, statusLine } from '../scan-data/frame-text.js';
import { LiveView } from '../scan-data/live-view.js';
import {
  receiveFrames,
  type Source,
  type SourceOptions,
  sourceScanner,
  withSourceOptions,
  withSources,
} from '../scan-data/sources.js';
import { fileNameFor } from '../scanners/file-per-scanner.js';
import type { Target } from '../scanners/target.js';
import { OutputFile, reportWritten, requireFolder, standardOutput } from '../transfers/output-file.js';

export function defineCommand(command: Command): Command {
  command
    .description(
      'Show what a scanner sees: live in a terminal, otherwise one picture. With --json: one line of JSON for each frame, until Ctrl-C. With --png, --svg or --csv: write the first complete frame to files.',
    )
    .addOption(
      new Option(
        '--range <metres>',
        'largest distance in the picture (default: fits the measured distances)',
      ).argParser(numberOption(0.1, 1000)),
    )
    .addOption(
      new Option('--count <frames>', 'end after this many frames').argParser(
        wholeNumberOption(1, 1_000_000_000),
      ),
    )
    .addOption(
      new Option(
        '--wait <seconds>',
        'how long to wait for the first frame. A live picture waits without a limit',
      )
        .argParser(numberOption(0.1, 86_400))
        .default(10),
    )
    .option('--png <file>', 'write a picture to this file (PNG)')
    .option('--svg <file>', 'write a picture to this file (SVG)')
    .option('--csv <file>', 'write a table to this file (CSV), with a line for each echo')
    .action(() => scan(command.allOptions()));
  return withSourceOptions(command.withDeviceOptions())
    .withForce()
    .withExamples(
      'azimuth scan --device http://192.168.0.1',
      'azimuth scan --aim --range 10',
      'azimuth scan --png gate3.png --csv gate3.csv',
      'azimuth scan --listen 2115 --json --count 100 > frames.jsonl',
    );
}

interface ScanOptions extends SourceOptions {
  /** m. */
  readonly range?: number;
  readonly count?: number;
  /** Seconds. */
  readonly wait: number;
  readonly png?: string;
  readonly svg?: string;
  readonly csv?: string;
  readonly force?: boolean;
}

interface Job {
  readonly source: Source;
  readonly title: string;
  readonly options: ScanOptions;
  readonly signal: AbortSignal;
}

/** A file that a frame is written into. */
interface FrameFile {
  readonly path: string;
  readonly file: OutputFile;
  readonly contents: (frame: Frame, title: string) => Uint8Array;
}

/** Size of a picture if no terminal has one. */
const printed = { columns: 80, rows: 34 };

/** Shows the scans of a scanner: live, as pictures, as lines of JSON, or as files. */
async function scan(options: ScanOptions): Promise<void> {
  if ((options.listen?.length ?? 0) > 1) {
    throw new CommandFailure('scan shows one scanner: give --listen once');
  }
  const target = await sourceScanner(options, 'scan');
  const files = await frameFiles(options, target);
  await untilInterrupted((signal) =>
    withSources({ ...options, target, onOther: remark }, ['scan'], signal, ({ title, sources: [source] }) => {
      const job = { source, title, options, signal };
      if (files.length > 0) return writeFiles(job, files);
      if (options.json === true) return printJson(job);
      return process.stdout.isTTY === true ? showLive(job) : printPictures(job);
    }),
  );
}

async function frameFiles(options: ScanOptions, target: Target | undefined): Promise<FrameFile[]> {
  const { png, svg, csv, range, force = false } = options;
  const drawing = (frame: Frame, title: string) => {
    const reach = range === undefined ? pictureRange(frame) : range * 1000;
    return polarPicture(frame, { title: `${title} (${frame.sender})`, time: new Date(), range: reach });
  };
  const contents = [
    [png, (frame: Frame, title: string) => encodePng(drawing(frame, title))],
    [svg, (frame: Frame, title: string) => Buffer.from(encodeSvg(drawing(frame, title)))],
    [csv, (frame: Frame) => Buffer.from(frameCsv(frame))],
  ] as const;
  const files: FrameFile[] = [];
  for (const [typed, make] of contents) {
    if (typed === undefined) continue;
    const path = fileNameFor(typed, target);
    if (files.some((file) => file.path === path)) {
      throw new CommandFailure(`${path} is given twice`);
    }
    await requireFolder(path);
    files.push({ path, file: await OutputFile.at(path, force), contents: make });
  }
  return files;
}

async function writeFiles(
  { source, title, options, signal }: Job,
  files: readonly FrameFile[],
): Promise<void> {
  for await (const frame of receiveFrames(source, options.wait, ({ complete }) => complete)) {
    for (const { path, file, contents } of files) {
      const bytes = await file.write(pieces(contents(frame, title)));
      if (!files.some((other) => other.path === standardOutput)) reportWritten(path, bytes, options);
    }
    return;
  }
  throw new CommandFailure(ended(signal), 'refused');
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function printJson({ source, options, signal }: Job): Promise<void> {
  let left = options.count ?? Number.POSITIVE_INFINITY;
  for await (const frame of receiveFrames(source, options.wait)) {
    await print(`${frameJson(frame, source.receiver.losses)}\n`, signal);
    if (--left <= 0) return;
  }
  if (options.count !== undefined && !signal.aborted) throw new CommandFailure(ended(signal), 'refused');
}

async function printPictures({ source, title, options, signal }: Job): Promise<void> {
  let left = options.count ?? 1;
  for await (const frame of receiveFrames(source, options.wait, ({ complete }) => complete)) {
    const range = options.range === undefined ? pictureRange(frame) : options.range * 1000;
    const picture = terminalPicture(frame, { ...printed, range });
    const status = statusLine(frame, { losses: source.receiver.losses, range });
    await print(`${[...picture, printable(title), status].join('\n')}\n`, signal);
    if (--left <= 0) return;
  }
  if (!signal.aborted) throw new CommandFailure(ended(signal), 'refused');
}

async function showLive({ source, title, options, signal }: Job): Promise<void> {
  const view = new LiveView(process.stdout, {
    title,
    range: options.range === undefined ? undefined : options.range * 1000,
    colour: !process.env.NO_COLOR,
    now: () => performance.now(),
  });
  let left = options.count ?? Number.POSITIVE_INFINITY;
  view.begin();
  const ticking = setInterval(() => view.tick(), 1000);
  try {
    for await (const frame of source.receiver.frames()) {
      view.show(frame, source.receiver.losses);
      if (--left <= 0) return;
    }
  } finally {
    clearInterval(ticking);
    view.end();
  }
  if (!signal.aborted) throw new CommandFailure('the scanner ended the stream', 'refused');
}

function ended({ aborted }: AbortSignal): string {
  return aborted
    ? 'interrupted before a complete frame was received'
    : 'the scanner ended the stream too early';
}
