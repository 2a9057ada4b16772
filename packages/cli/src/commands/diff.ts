import { access } from 'node:fs/promises';
import { parameterDifferences } from '@azimuth/client';
import { KnownInterface } from '@azimuth/model';
import { CommandFailure, exitCodes, unreadable } from '../command-failure.js';
import { backupPassphrase } from '../input/secrets.js';
import type { Command, TransferOptions } from '../options/command.js';
import {
  differenceLine,
  isSourceWord,
  namesScanner,
  refuseMistypedSource,
  workingSource,
} from '../parameters/parameter-source.js';
import { scannerAt } from '../scanners/connection.js';
import { type Scanners, withScanners } from '../scanners/each-scanner.js';
import { hasPlaceholder } from '../scanners/file-per-scanner.js';
import { TargetOutput } from '../scanners/target-output.js';
import { isSiteFile, type Sides, sidesOf } from '../site/compared-sides.js';
import { deviceArguments, scannersInFile, siteTextAt } from '../site/site-file.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      `Show in which parameters two sides differ. A side is a scanner (URL or @NAME), a backup file, a site file, or a word: factory (the factory values), stored (the saved values of the scanner), working (its values now). With one side, it is compared with the scanner of --device. A site file is compared with each scanner in what it has for it. {scanner} in the name of a file stands for the name of the scanner. If there are differences, the exit code is ${exitCodes.differs.code}.`,
    )
    .argument('[side...]', 'one or two sides')
    .action((words: string[]) => diff(words, command.allOptions()))
    .withDeviceOptions()
    .withPassphrase()
    .withExamples(
      'azimuth diff factory',
      'azimuth diff @gate3 @gate4',
      'azimuth diff @gate3 gate3.json',
      'azimuth diff @hall/* golden.json    (each scanner of a group)',
      'azimuth diff hall.yaml @hall/*    (each scanner with its values in a site file)',
      "azimuth diff @hall/* 'backups/{scanner}.json'    (each scanner with a file of its own)",
      'azimuth diff before.json after.json --json',
      'azimuth diff stored factory',
    );
}

/** Compares two parameter sources, or each of several scanners with one source. */
async function diff(words: readonly string[], options: TransferOptions): Promise<void> {
  for (const word of words) await refuseMistypedSource(word);
  const areScanners = await Promise.all(words.map(namesScanner));
  const named = words.filter((_, index) => areScanners[index]);
  const others = words.filter((_, index) => !areScanners[index]);
  const given = [...(options.device ?? []), ...named];
  const device = given.length === 0 ? await scannersOfSites(others) : given;
  const passphrase = await backupPassphrase(options);
  const own = device.length === 0 ? {} : { device };
  const scope = { ...options, ...own };
  const [first, second, ...more] = others;
  // Reports a missing file before any request.
  const files = others.filter((word) => !isSourceWord(word) && !hasPlaceholder(word));
  for (const path of files) await access(path).catch(unreadable(path));
  if (more.length > 0) throw new CommandFailure(`expected two sides, got ${others.join(', ')}`);
  if (second !== undefined && !needsScanner(others)) {
    if (device.length > 0)
      throw new CommandFailure(`expected two sides, got ${[...device, ...others].join(', ')}`);
    const sides = await sidesOf([first ?? '', second], { passphrase });
    await printDifferences(sides, new TargetOutput(options));
    return;
  }
  await withScanners(scope, async (scanners) => {
    if (first === undefined) return compareScanners(scanners, new TargetOutput(options));
    // The scanner is the first source by default.
    const isFirst = areScanners[0] === false && named.length > 0;
    const pair: readonly [string, string] =
      second === undefined ? defaultPair(first, isFirst) : [first, second];
    await scanners.each(async (target, output) => {
      const of = { scanner: scannerAt(target), target };
      await printDifferences(await sidesOf(pair, { of, passphrase }), output);
    });
  });
}

/** Returns the scanners of site files, for `--device`: those that are compared if no others are named. */
async function scannersOfSites(words: readonly string[]): Promise<readonly string[]> {
  const [path] = words.filter((word) => isSiteFile(word) && !hasPlaceholder(word));
  return path === undefined ? [] : deviceArguments(scannersInFile(path, await siteTextAt(path)));
}

function defaultPair(word: string, isFirst: boolean): readonly [string, string] {
  return isFirst ? [word, 'working'] : ['working', word];
}

function needsScanner(words: readonly string[]): boolean {
  return (
    words.every((word) => word === 'factory') ||
    words.some((word) => word === 'stored' || word === 'working' || isSiteFile(word) || hasPlaceholder(word))
  );
}

async function compareScanners(scanners: Scanners, output: TargetOutput): Promise<void> {
  const [one, other, ...more] = scanners.targets;
  if (other === undefined) {
    throw new CommandFailure('name two sides: scanners, backup files, factory, stored or working');
  }
  if (more.length > 0) {
    throw new CommandFailure(
      `expected two scanners, got ${scanners.targets.length}: name a file or factory to compare all of them with it`,
    );
  }
  const sources = await scanners.each((target) => workingSource(scannerAt(target)));
  const [from, to] = [sources.get(one), sources.get(other)];
  if (from !== undefined && to !== undefined) await printDifferences([from, to], output);
}

async function printDifferences([from, to]: Sides, output: TargetOutput): Promise<void> {
  const known = KnownInterface.merged([from.known, to.known]);
  const differences = parameterDifferences(from.values, to.values, known);
  await output.print(
    differences.map(({ path, from, to }) => ({ path, from, to })),
    () => differences.map(differenceLine),
  );
  if (differences.length > 0) process.exitCode = exitCodes.differs.code;
  else output.done('no difference');
}
