import { NotDoneError } from '@azimuth/client';
import { isObject, type Method } from '@azimuth/model';
import { type Command, clientTimeout, type DeviceOptions, type TimeoutOptions } from '../options/command.js';
import { withNamedScanner } from '../scanners/connection.js';
import { asDescribed } from '../scanners/described.js';
import { confirmCall, withScanners } from '../scanners/each-scanner.js';
import { requireRunningClock } from '../scanners/standing-clock.js';
import { methodNamed } from '../values/endpoint-names.js';
import { formattedLines, formatValue } from '../values/format-value.js';
import { applyChanges, areChanges, parseChanges, parseValue } from '../values/parse-value.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Call a method, and print its response. Before a call that loses data for good, and before a reboot of several scanners, it asks.',
    )
    .argument('<method>', 'name of the method')
    .argument('[request...]', 'request of the method: JSON, or member=value for each member')
    .option('--wait', 'if the method reboots the scanner: wait until the scanner is back')
    .action((name: string, words: string[]) => call(name, words, command.allOptions()))
    .withDeviceOptions()
    .withYes()
    .withTimeout('with --wait, how long the scanner may take until it is back', 600)
    .withExamples(
      'azimuth call WriteEeprom',
      'azimuth call EnableUserLevel userLevel=AuthorizedClient isEnabled=on',
      `azimuth call SoftReset '{"ProcessorNbr":0}' --password-file service.txt`,
      'azimuth call LoadFactoryDefaults --yes    (for scripts: it does not ask)',
      'azimuth call RebootDevice --wait',
      'azimuth call WriteEeprom --device cola://192.168.0.1',
      'azimuth call GetWebserverEnabled --json',
    );
}

/** Calls a method and prints its response. Its request is checked before anything is sent. */
async function call(
  name: string,
  words: readonly string[],
  options: DeviceOptions & TimeoutOptions & { readonly wait?: boolean; readonly yes?: boolean },
): Promise<void> {
  await withScanners(options, async (scanners) => {
    const { method, request } = await asDescribed(scanners.targets, (known) => {
      const method = methodNamed(name, known);
      return { method, request: requestFromWords(method, words) };
    });
    await confirmCall(method, scanners, options);
    await scanners.each(async (target, output) => {
      const { response, refusal } = await withNamedScanner(target, async (scanner) => {
        const caller = method.facts.level === 'open' ? scanner : await scanner.loggedIn();
        const waits = options.wait === true;
        if (waits)
          await requireRunningClock(scanner.readAny, `what follows ${name}`, options, (text) =>
            output.remark(text),
          );
        const response = await caller.callAny(name, method.hasRequest ? request : undefined);
        const refusal = method.refusalIn(isObject(response) ? response : {});
        if (waits && refusal === undefined) {
          output.progress().stage('Waiting until the scanner is back');
          await caller.rebooted(clientTimeout(options));
        }
        return { response, refusal };
      });
      await output.print(response, () =>
        method.hasResponse ? formattedLines(formatValue(method.response.shape, response)) : [],
      );
      if (refusal !== undefined) throw NotDoneError.refused(name, refusal);
    });
  });
}

/** Parses the request: JSON, members one by one (`userLevel=Service isEnabled=on`), or nothing: an empty object. */
function requestFromWords({ name, request }: Method<unknown, unknown>, words: readonly string[]): unknown {
  if (areChanges(request.shape, words))
    return request.fromJson(applyChanges({}, name, parseChanges(request.shape, name, words)), name);
  return words.length === 0 ? request.fromJson({}, name) : parseValue(request, name, words.join(' '));
}
