import { access } from 'node:fs/promises';
import { parameterDifferences, type Scanner } from '@azimuth/client';
import { builtInInterface, KnownInterface } from '@azimuth/model';
import { CommandFailure, exitCodes, unreadable } from '../command-failure.js';
import { backupPassphrase } from '../input/secrets.js';
import type { Command, TransferOptions } from '../options/command.js';
import {
  differenceLine,
  factorySource,
  fileSource,
  isSourceWord,
  namesScanner,
  type ParameterSource,
  refuseMistypedSource,
  storedSource,
  workingSource,
} from '../parameters/parameter-source.js';
import { scannerAt } from '../scanners/connection.js';
import { type Scanners, withScanners } from '../scanners/each-scanner.js';
import { TargetOutput } from '../scanners/target-output.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      `Show in which parameters two sides differ. A side is a scanner (URL or @NAME), a backup file, or a word: factory (the factory values), stored (the saved values of the scanner), working (its values now). With one side, it is compared with the scanner of --device. If there are differences, the exit code is ${exitCodes.differs.code}.`,
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
  const device = [...(options.device ?? []), ...named];
  const passphrase = await backupPassphrase(options);
  const own = device.length === 0 ? {} : { device };
  const scope = { ...options, ...own };
  const [first, second, ...more] = others;
  // Reports a missing file before any request.
  for (const path of others.filter((word) => !isSourceWord(word))) await access(path).catch(unreadable(path));
  if (more.length > 0) throw new CommandFailure(`expected two sides, got ${others.join(', ')}`);
  if (second !== undefined && !needsScanner(others)) {
    if (device.length > 0)
      throw new CommandFailure(`expected two sides, got ${[...device, ...others].join(', ')}`);
    const one = await readSource(first ?? '', second, { passphrase });
    const other = await readSource(second, first ?? '', { passphrase });
    await printDifferences(one, other, new TargetOutput(options));
    return;
  }
  await withScanners(scope, async (scanners) => {
    if (first === undefined) return compareScanners(scanners, new TargetOutput(options));
    // The scanner is the first source by default.
    const pair =
      second === undefined
        ? defaultPair(first, areScanners[0] === false && named.length > 0)
        : [first, second];
    const [one = '', other = ''] = pair;
    await scanners.each(async (target, output) => {
      const scanner = scannerAt(target);
      const means = { scanner, passphrase };
      await printDifferences(
        await readSource(one, other, means),
        await readSource(other, one, means),
        output,
      );
    });
  });
}

function defaultPair(word: string, isFirst: boolean): readonly [string, string] {
  return isFirst ? [word, 'working'] : ['working', word];
}

function needsScanner(words: readonly string[]): boolean {
  return (
    words.every((word) => word === 'factory') || words.some((word) => word === 'stored' || word === 'working')
  );
}

/** Reads the source that a word names. `factory` means the factory values for the other source. */
async function readSource(
  word: string,
  other: string,
  means: { readonly scanner?: Scanner; readonly passphrase: string | undefined },
): Promise<ParameterSource> {
  const { scanner, passphrase } = means;
  if (!isSourceWord(word)) {
    return fileSource(word, passphrase, (await scanner?.description.whole()) ?? builtInInterface);
  }
  if (word === 'factory' && other !== 'factory')
    return factorySource(await readSource(other, 'factory', means));
  if (scanner === undefined || word === 'factory') throw new CommandFailure(`"${word}" needs another side`);
  return word === 'stored' ? storedSource(scanner) : workingSource(scanner);
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
  if (from !== undefined && to !== undefined) await printDifferences(from, to, output);
}

async function printDifferences(
  from: ParameterSource,
  to: ParameterSource,
  output: TargetOutput,
): Promise<void> {
  const known = KnownInterface.merged([from.known, to.known]);
  const differences = parameterDifferences(from.values, to.values, known);
  await output.print(
    differences.map(({ path, from, to }) => ({ path, from, to })),
    () => differences.map(differenceLine),
  );
  if (differences.length > 0) process.exitCode = exitCodes.differs.code;
  else output.done('no difference');
}
