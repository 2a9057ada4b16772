import type { ConformanceCase } from '../cases/index.js';
import type { CheckTarget } from '../scanner/checked-scanner.js';
import { usualTimeout } from '../steps/step-context.js';
import { NoAnswer } from '../wire/http-exchange.js';
import { LegacyConnection } from '../wire/legacy-connection.js';
import { legacyFrame } from '../wire/legacy-frames.js';
import type { CaseResult } from './case-result.js';

type LegacyInterface = 'A' | 'B';

/** Cases in a row without an answer, after which an interface is tried with a read. */
const mostSilent = 3;

/**
 * Interfaces of the legacy protocol that have stopped answering: an emulator may take one client only, or end at a telegram that
 * it does not know. Otherwise each of some hundred cases would wait for its time limit.
 */
export class SilentInterfaces {
  readonly #inARow = new Map<LegacyInterface, number>();
  readonly #silent = new Set<LegacyInterface>();

  /** Returns why a case is not run; undefined if its interfaces answer. */
  reasonFor(one: ConformanceCase): string | undefined {
    const silent = interfacesOf(one).find((each) => this.#silent.has(each));
    if (silent === undefined) return undefined;
    return `interface ${silent} of the legacy protocol does not answer any more: ${mostSilent} cases in a row had no answer, nor had a read on a new connection`;
  }

  /** Counts a result, and tries the interfaces of cases that had no answer. */
  async note({ case: one, failure }: CaseResult, target: CheckTarget): Promise<void> {
    const isSilent = failure?.at === 'telegram' || failure?.at === 'answer';
    for (const each of interfacesOf(one)) {
      const count = isSilent ? (this.#inARow.get(each) ?? 0) + 1 : 0;
      this.#inARow.set(each, count % mostSilent);
      if (count === mostSilent && !(await answers(each, target))) this.#silent.add(each);
    }
  }
}

function interfacesOf({ steps }: ConformanceCase): readonly LegacyInterface[] {
  return [...new Set(steps.flatMap((step) => ('interface' in step ? [step.interface] : [])))];
}

/** True if an interface answers a read, or is not there: then there is nothing to wait for. */
async function answers(
  letter: LegacyInterface,
  { legacyA, legacyB, timeoutMs = usualTimeout }: CheckTarget,
): Promise<boolean> {
  const endpoint = letter === 'A' ? legacyA : legacyB;
  if (endpoint === undefined) return true;
  let connection: LegacyConnection | undefined;
  try {
    connection = await LegacyConnection.open(endpoint.host, endpoint.port, timeoutMs);
    const form = letter === 'A' ? 'text' : 'binary';
    connection.send(legacyFrame(Buffer.from('sRN SCdevicestate'), form));
    await connection.something(timeoutMs);
    return connection.waiting.length > 0;
  } catch (error) {
    if (error instanceof NoAnswer) return false;
    throw error;
  } finally {
    connection?.close();
  }
}
