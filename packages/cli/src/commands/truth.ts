import { Option } from 'commander';
import { CommandFailure, exitCodes } from '../command-failure.js';
import type { Command, ControlOptions } from '../options/command.js';
import { collect, numberOption, portOption, wholeNumberOption } from '../options/option-values.js';
import { remark, untilInterrupted } from '../output/output.js';
import { TargetOutput } from '../scanners/target-output.js';
import { controlPortAt } from '../sim/control-port.js';
import { ProgressLine } from '../transfers/progress.js';
import { AveragedTruth } from '../truth/averaged-truth.js';
import { ControlTruth } from '../truth/control-truth.js';
import { type EchoChoice, echoChoices } from '../truth/echoes.js';
import { judge } from '../truth/judgement.js';
import { MatchError, matchedPoints } from '../truth/matching.js';
import { type PointFrame, pointFrames } from '../truth/placement.js';
import { readPointFile, receivePoints } from '../truth/point-input.js';
import { Points } from '../truth/points.js';
import { judgementJson, judgementLines } from '../truth/report.js';
import type { StampBeam } from '../truth/times.js';
import { type PointUnits, unitOption } from '../truth/units.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      `Judge a driver: compare its points with what the beams of a virtual scanner really met, and say what is probably wrong. The scanner must have been started with --control-port. Points are a table (CSV), lines of JSON or a point cloud (PCD). If something is wrong, the exit code is ${exitCodes.differs.code}; if the points tell too little, it is ${exitCodes.refused.code}.`,
    )
    .option('--points <file>', 'compare the points of this file (- for stdin); repeatable', collect)
    .addOption(
      new Option(
        '--listen <port>',
        'compare the points that a driver sends to this port, as lines over TCP or UDP',
      )
        .argParser(portOption)
        .conflicts('points'),
    )
    .addOption(
      new Option('--host <address>', 'address of this computer at which points are received').default(
        '127.0.0.1',
      ),
    )
    .addOption(
      new Option(
        '--frame <frame>',
        'the frame that the points should have (default: it is found out)',
      ).choices(pointFrames),
    )
    .addOption(
      new Option(
        '--unit <unit>',
        'unit of lengths (m, cm, mm, ft), angles (deg, rad) or times (s, ms, us, ns); repeatable (default: from the names of the columns, else guessed)',
      ).argParser(unitOption),
    )
    .option('--columns <names>', 'names of the columns of a table without a header: x,y,time')
    .addOption(
      new Option('--scan <number>', 'the scan of points that have no number and no time').argParser(
        wholeNumberOption(0, Number.MAX_SAFE_INTEGER),
      ),
    )
    .addOption(new Option('--echoes <echoes>', 'the echoes that the points should have').choices(echoChoices))
    .addOption(
      new Option('--stamp <beam>', 'the beam that a time for a whole scan should belong to')
        .choices(['first', 'last'])
        .default('first'),
    )
    .addOption(
      new Option(
        '--average <scans>',
        'depth of the moving average that the scanner is set to (LFPmovingAveragingFilter)',
      ).argParser(wholeNumberOption(2, 4)),
    )
    .addOption(
      new Option('--count <scans>', 'judge this many scans: the last ones')
        .argParser(wholeNumberOption(1, 100))
        .default(20),
    )
    .addOption(
      new Option('--seconds <seconds>', 'with --listen: receive points for this time')
        .argParser(numberOption(0.1, 60))
        .default(3),
    )
    .addOption(
      new Option('--wait <seconds>', 'with --listen: how long to wait for the first point')
        .argParser(numberOption(0.1, 86_400))
        .default(10),
    )
    .action(() => compare(command.allOptions()))
    .withControlOptions()
    .withProgress()
    .withExamples(
      'azimuth serve --control-port 9000 --scene gate       (in another terminal)',
      'azimuth scan --aim --json --count 20 | azimuth truth --points -',
      'azimuth truth --points points.csv --frame world',
      'azimuth truth --points cloud.pcd --scan 120 --unit mm',
      'azimuth truth --listen 5005 --frame begin --json',
    );
}

interface TruthOptions extends ControlOptions {
  readonly points?: readonly string[];
  readonly listen?: number;
  readonly host: string;
  readonly frame?: PointFrame;
  readonly unit?: PointUnits;
  readonly columns?: string;
  readonly scan?: number;
  readonly echoes?: EchoChoice;
  readonly stamp: StampBeam;
  readonly average?: number;
  readonly count: number;
  /** s. */
  readonly seconds: number;
  /** s. */
  readonly wait: number;
  readonly progress?: boolean;
}

/** Compares points with the truth, and prints the judgement. @throws CommandFailure if something is wrong */
async function compare(options: TruthOptions): Promise<void> {
  const port = new ControlTruth(controlPortAt(options));
  const source = options.average === undefined ? port : new AveragedTruth(port, options.average);
  const progress = new ProgressLine(process.stderr, options.progress === true);
  const points = new Points();
  const complaints = await untilInterrupted((signal) => collected(options, points, progress, signal));
  const matched = await matchedPoints(points, source, {
    frame: options.frame,
    units: options.unit ?? {},
    scan: options.scan,
    most: options.count,
    now: Date.now() * 1000,
    progress: (done, all) => progress.step('asking for the truth', done, all),
  }).catch((error: unknown) => {
    throw error instanceof MatchError ? new CommandFailure(error.message, 'refused') : error;
  });
  progress.end();
  const judgement = judge(matched.scans, {
    frame: options.frame,
    echoes: options.echoes,
    stamp: options.stamp,
  });
  const notes = [...(complaints ?? []), ...matched.notes];
  await new TargetOutput(options).print(judgementJson(judgement, notes), () =>
    judgementLines(judgement, notes),
  );
  if (judgement.verdict === 'wrong') process.exitCode = exitCodes.differs.code;
  if (judgement.verdict === 'unknown')
    throw new CommandFailure('these points tell too little to judge the driver', 'refused');
}

/** Reads or receives the points. @returns what has to be said about them */
async function collected(
  { points: files = [], listen, host, columns, seconds, wait }: TruthOptions,
  points: Points,
  progress: ProgressLine,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const names = columns?.split(',');
  if (listen === undefined) {
    if (files.length === 0)
      throw new CommandFailure('which points? Give --points FILE, --points - for stdin, or --listen PORT');
    for (const file of files) await readPointFile(file, points, { columns: names, signal });
    return [];
  }
  const received = await receivePoints(points, {
    ...{ port: listen, host, columns: names, signal },
    duration: seconds * 1000,
    wait: wait * 1000,
    opened: (port) => remark(`waiting for points at port ${port}, TCP and UDP`),
    progress: (count) => progress.stage(`${count} points`),
  });
  progress.end();
  const { refused, firstRefusal } = received;
  if (points.count === 0) {
    const why =
      firstRefusal === undefined
        ? `within ${wait} s`
        : `, but ${refused} other lines, the first one: ${firstRefusal}`;
    throw new CommandFailure(`no point was received at port ${listen} ${why}`, 'refused');
  }
  return refused === 0 ? [] : [`${refused} lines are no points, the first one: ${firstRefusal}`];
}
