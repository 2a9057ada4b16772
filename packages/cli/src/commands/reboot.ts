import { general } from '@azimuth/model';
import { type Command, clientTimeout, type RolloutOptions, type TimeoutOptions } from '../options/command.js';
import { bootTraces, isRebootedSince } from '../rollout/boot-traces.js';
import { withRollout } from '../rollout/with-rollout.js';
import { withNamedScanner } from '../scanners/connection.js';
import { confirmCall } from '../scanners/each-scanner.js';
import { requireRunningClock } from '../scanners/standing-clock.js';

const { RebootDevice, SoftReset } = general.members;

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Reboot a scanner. It saves its working parameters before; with --discard it does not, and loses what is unsaved. It asks before it reboots several scanners, and before it loses anything.',
    )
    .option('--wait', 'end when the scanner is up again')
    .option('--discard', 'reboot with the saved parameters; changes that are unsaved are lost')
    .action(() => reboot(command.allOptions(), command.words))
    .withDeviceOptions()
    .withRollout()
    .withYes()
    .withTimeout('with --wait, how long the scanner may take until it is up again', 600)
    .withExamples(
      'azimuth reboot --wait',
      'azimuth reboot --wait --timeout 60    (it fails if the scanner is not up again after a minute)',
      'azimuth reboot --discard --yes',
      'azimuth reboot @hall/* --wait --yes',
      'azimuth reboot @hall/* --rolling 1 --pause 60    (one after the other; the first failure ends it)',
    );
}

interface RebootOptions extends RolloutOptions, TimeoutOptions {
  readonly wait?: boolean;
  readonly discard?: boolean;
  readonly yes?: boolean;
}

/** Reboots each scanner. With `--wait`, and in steps, waits until it is up again. */
async function reboot(options: RebootOptions, words: readonly string[]): Promise<void> {
  const { discard = false } = options;
  const facts = { discard: String(discard) };
  await withRollout(options, { command: 'reboot', words, facts }, async (scanners) => {
    const wait = options.wait === true || scanners.inSteps;
    await confirmCall(discard ? SoftReset : RebootDevice, scanners, options);
    await scanners.change({
      readBefore: (target) => withNamedScanner(target, bootTraces),
      isInForce: async (target, before) => {
        const now = await withNamedScanner(target, bootTraces);
        return isRebootedSince(before, now, { saves: !discard });
      },
      act: async (target, output) => {
        await withNamedScanner(target, async (scanner) => {
          const caller = await scanner.loggedIn();
          if (wait)
            await requireRunningClock(scanner.readAny, 'the reboot', options, (text) => output.remark(text));
          if (discard) await caller.callAny(SoftReset.name, { ProcessorNbr: 0 });
          else await caller.callAny(RebootDevice.name);
          if (!wait) return;
          output.progress().stage('Waiting until the scanner is up again');
          await caller.rebooted(clientTimeout(options));
        });
        await output.print({ rebooted: true, saved: !discard, up: wait }, () => []);
        output.done(`${discard ? '' : 'saved; '}${wait ? 'rebooted, and up again' : 'reboots'}`);
      },
    });
  });
}
