import { isObject, type Method } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { withNamedScanner } from '../legacy/named-scanner.js';
import { methodNamed } from '../name.js';
import { linesOf, naturalForm } from '../natural-form.js';
import type { DeviceOptions } from '../options.js';
import { areChanges, changed, changesOfWords } from '../typed-changes.js';
import { valueOfWords } from '../typed-words.js';

/** Calls a method and prints its response. Its request is checked before anything is sent. */
export async function call(
  name: string,
  words: readonly string[],
  options: DeviceOptions & { readonly wait: boolean },
): Promise<void> {
  const method = methodNamed(name);
  const request = requestOf(method, words);
  const { response, refusal } = await withNamedScanner(options, async (scanner) => {
    const caller = method.facts.level === 'open' ? scanner : await scanner.loggedIn();
    const response = await caller.callAny(name, method.hasRequest ? request : undefined);
    const refusal = isObject(response) ? method.refusalIn(response) : undefined;
    if (options.wait && refusal === undefined) await caller.rebooted();
    return { response, refusal };
  });
  if (options.json === true) process.stdout.write(`${JSON.stringify(response)}\n`);
  else if (method.hasResponse) {
    process.stdout.write(`${linesOf(naturalForm(method.response.shape, response)).join('\n')}\n`);
  }
  if (refusal !== undefined) throw new CommandFailure(`${name}: not done, as ${refusal} tells`, 'refused');
}

/** JSON, members one by one (`userLevel=3 isEnabled=on`), or nothing, which stands for an empty object. */
function requestOf({ name, request }: Method<unknown, unknown>, words: readonly string[]): unknown {
  if (areChanges(request.shape, words))
    return request.fromJson(changed({}, name, changesOfWords(request.shape, name, words)), name);
  return words.length === 0 ? request.fromJson({}, name) : valueOfWords(request, name, words.join(' '));
}
