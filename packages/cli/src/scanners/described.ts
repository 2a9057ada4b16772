import { concurrently } from '@azimuth/async';
import { ClientError } from '@azimuth/client';
import { builtInInterface, KnownInterface, Refusal } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { UnknownName } from '../values/endpoint-names.js';
import { FileMistakes } from '../yaml/yaml-file.js';
import { scannerAt } from './connection.js';
import { storeDescribedNames } from './described-names.js';
import { wordsOfNames } from './names-for-completion.js';
import type { Target } from './target.js';

/** Number of scanners that are asked at the same time. */
const atOnce = 16;

/**
 * Returns what is known of the names of scanners: the model, and what the scanners describe themselves. If they
 * describe a name in different ways, the first one counts. A scanner that does not answer adds nothing.
 * @param failed called with the error of each scanner that does not answer
 */
export async function describedBy(
  targets: readonly Pick<Target, 'url'>[],
  failed: (error: ClientError) => void = () => undefined,
): Promise<KnownInterface> {
  const known = await concurrently(atOnce, targets, async (target) => {
    try {
      return [await scannerAt(target).description.whole()];
    } catch (error) {
      if (error instanceof ClientError) failed(error);
      // The legacy protocol describes nothing.
      else if (!(error instanceof CommandFailure)) throw error;
      return [];
    }
  });
  const merged = KnownInterface.merged(known.flat());
  storeDescribedNames(wordsOfNames(beyondModel(merged)));
  return merged;
}

function beyondModel({ named, methods }: KnownInterface): Pick<KnownInterface, 'named' | 'methods'> {
  return {
    named: named.filter(({ name }) => builtInInterface.variable(name) === undefined),
    methods: methods.filter(({ name }) => builtInInterface.method(name) === undefined),
  };
}

/**
 * Uses names and values as the model has them. If the model does not know a name, or does not allow a value, they are
 * used as the scanners describe them. So nothing is sent for what the model knows.
 * @param act throws UnknownName, FileMistakes or Refusal for what is not known
 */
export async function asDescribed<T>(
  targets: readonly Pick<Target, 'url'>[],
  act: (known: KnownInterface) => T,
): Promise<T> {
  try {
    return act(builtInInterface);
  } catch (error) {
    const mayBeKnown =
      error instanceof UnknownName || error instanceof FileMistakes || error instanceof Refusal;
    if (!mayBeKnown) throw error;
    const failures: ClientError[] = [];
    const known = await describedBy(targets, (failure) => failures.push(failure));
    if (known !== builtInInterface) return act(known);
    const [failure] = failures;
    if (!(error instanceof UnknownName) || error.hint !== '' || failure === undefined) throw error;
    throw new UnknownName(error.message, `. The scanner may have it, but ${failure.message}`);
  }
}
