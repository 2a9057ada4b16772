import { CommandFailure } from '../command-failure.js';
import { type Choice, fileFor } from '../firmware/choice.js';
import { type FirmwareFile, firmwareFile } from '../firmware/firmware-file.js';
import { installedVersion, isOfRelease, versionOf } from '../firmware/installed-version.js';
import { confirm, terminalOfCommand } from '../input/prompt.js';
import {
  type Command,
  clientTimeout,
  type RolloutOptions,
  type TimeoutOptions,
  type TransferOptions,
} from '../options/command.js';
import { printable } from '../output/output.js';
import { fileDigest } from '../rollout/digest.js';
import { withRollout } from '../rollout/with-rollout.js';
import { targetsText } from '../scanners/chosen.js';
import { scannerAt, scannerWithLogin } from '../scanners/connection.js';
import type { Scanners } from '../scanners/each-scanner.js';
import { requireRunningClock } from '../scanners/standing-clock.js';
import type { Target } from '../scanners/target.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Send a firmware file, wait until the scanner has installed it and is back, and print its version. If the scanner loses its power meanwhile and is back with the old version, the command fails. A scanner cannot go back to an older release. Of several files, each scanner gets the newest one that its release takes; a scanner that runs it already is left as it is.',
    )
    .argument('[files...]', 'firmware files: .spk, or .spk.signed from release 2.2.0 on')
    .option('--signed <file>', 'a signed file, whatever its name is')
    .option('--unsigned <file>', 'an unsigned file, whatever its name is')
    .option(
      '--expect <version>',
      'fail if the scanner does not run this version afterwards, for example 2.4.4.0R',
    )
    .action((files: string[]) => update(files, command.allOptions(), command.words))
    .withDeviceOptions()
    .withRollout()
    .withYes()
    .withProgress()
    .withTimeout('how long the scanner may take once it has the file, until it is back', 1800)
    .withExamples(
      'azimuth update firmware.spk.signed',
      'azimuth update firmware.spk.signed --yes --expect 2.4.4.0R --json',
      'azimuth update @hall/* a.spk b.spk.signed --rolling 2    (each gets the file that fits)',
    );
}

interface Options extends TransferOptions, TimeoutOptions, RolloutOptions {
  readonly expect?: string;
  readonly signed?: string;
  readonly unsigned?: string;
}

/** Installs firmware, and prints the versions before and afterwards. */
async function update(paths: readonly string[], options: Options, words: readonly string[]): Promise<void> {
  const files = await givenFiles(paths, options);
  const [first] = files;
  if (first === undefined) throw new CommandFailure('give a firmware file, or --signed and --unsigned');
  const inSteps = options.rolling !== undefined || options.resume !== undefined;
  const digests = inSteps ? await Promise.all(files.map(({ path }) => fileDigest(path))) : [];
  const facts = { files: digests.join(' '), expect: options.expect ?? 'none' };
  await withRollout(options, { command: 'update', words, facts }, async (scanners) => {
    for (const target of scanners.targets) scannerAt(target); // Reports a wrong URL before any question.
    // One file is installed as it is, also again; several scanners in steps get what they lack.
    const isChosen = files.length > 1 || scanners.inSteps;
    const choices = isChosen ? await chosenFiles(scanners, files, options.expect) : undefined;
    const fileOf = (target: Target): Choice => (choices === undefined ? first : choices.get(target));
    const waiting = scanners.targets.filter((target) => fileOf(target) !== undefined);
    if (options.yes !== true && waiting.length > 0) {
      const subject = waiting.length === 1 ? 'The scanner reboots, and' : 'They reboot, and';
      await confirm(
        `Install ${installationText(waiting, fileOf)}? ${subject} cannot go back to an older release.`,
        terminalOfCommand(),
      );
    }
    await scanners.change({
      readBefore: async (target) => ({ version: await versionOf(scannerAt(target)) }),
      isInForce: async (target, before) => {
        const version = await installedVersion(scannerAt(target));
        const release = fileOf(target)?.release;
        if (options.expect !== undefined) return version === options.expect;
        return release === undefined ? version !== before.version : isOfRelease(version, release);
      },
      act: async (target, output) => {
        const file = fileOf(target);
        if (file === undefined) {
          const to = await versionOf(scannerAt(target));
          await output.print({ from: to, to, skipped: true }, () => [`${printable(to)} already`]);
          return;
        }
        const scanner = await scannerWithLogin(target);
        const read = (name: string) => scanner.readAny(name);
        await requireRunningClock(read, 'the installation', options, (text) => output.remark(text));
        const progress = output.progress();
        try {
          const updated = await scanner.update(file.source, {
            version: options.expect,
            release: file.release,
            ...clientTimeout(options),
            onProgress: progress.of('Sending'),
            onStage: (stage) => {
              if (stage !== 'sending') progress.stage(`The scanner is ${stage}`);
            },
            onInstallProgress: progress.percentOf('Installing'),
          });
          const { from, to } = updated;
          await output.print(updated, () => [`${printable(from)} → ${printable(to)}`]);
        } finally {
          progress.end();
        }
      },
    });
  });
}

/** Opens all files of the command line. @throws CommandFailure for one that cannot be sent */
function givenFiles(
  paths: readonly string[],
  { signed, unsigned }: Options,
): Promise<readonly FirmwareFile[]> {
  return Promise.all([
    ...paths.map((path) => firmwareFile(path)),
    ...(signed === undefined ? [] : [firmwareFile(signed, true)]),
    ...(unsigned === undefined ? [] : [firmwareFile(unsigned, false)]),
  ]);
}

/** Asks each scanner for its version, and chooses its file. */
function chosenFiles(
  scanners: Scanners,
  files: readonly FirmwareFile[],
  expected: string | undefined,
): Promise<ReadonlyMap<Target, Choice>> {
  return scanners.each(async (target) => fileFor(await versionOf(scannerAt(target)), files, expected));
}

/** Returns `a.spk on 2 scanners (gate1, gate2), b.spk.signed on http://192.168.0.1`. */
function installationText(targets: readonly Target[], fileOf: (target: Target) => Choice): string {
  const byPath = new Map<string, Target[]>();
  for (const target of targets) {
    const { path = '' } = fileOf(target) ?? {};
    byPath.set(path, [...(byPath.get(path) ?? []), target]);
  }
  return [...byPath].map(([path, those]) => `${path} on ${targetsText(those)}`).join(', ');
}
