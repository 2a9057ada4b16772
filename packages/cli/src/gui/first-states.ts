import { concurrently } from '@azimuth/async';
import { AnswerError, ClientError, Scanner, ScannerError, UnreachableError } from '@azimuth/client';

/** What a list of scanners shows of each. */
const names = [
  'DeviceStatus',
  'LocationName',
  'DeviceIdent',
  'SerialNumber',
  'CurrentTempDev',
  'temperatureAlarmStatus',
] as const;

/** Scanners that are asked at once: a browser could ask few. Those that are silent must not keep the others waiting. */
const atOnce = 256;

/** ms for an answer. Who takes longer is neither there nor gone: the page finds out by itself. */
const within = 1500;

/** Characters of a state. A scanner may be anybody's, and a list shows little. */
const longestState = 10_000;

/** How a scanner is when a page begins. Without values and reason, it is not known. */
export interface FirstState {
  /** Its number, from 0 on. */
  readonly scanner: number;
  /** What it has told, by the names of variables. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Why it cannot be reached. */
  readonly gone?: string;
}

/**
 * Asks all scanners at once, so that a list of many is right from the beginning.
 * @param tell gets each one when it is known
 */
export async function firstStates(urls: readonly string[], tell: (state: FirstState) => void): Promise<void> {
  await concurrently(atOnce, [...urls.entries()], async ([scanner, url]) => {
    tell({ scanner, ...(await firstState(new Scanner({ url, timeoutMs: within }))) });
  });
}

async function firstState(scanner: Scanner): Promise<Omit<FirstState, 'scanner'>> {
  const [first, ...others] = names;
  try {
    const told = await readIfThere(scanner, first);
    const more = await Promise.all(others.map((name) => readIfThere(scanner, name)));
    const values = Object.fromEntries([...told, ...more.flat()]);
    return JSON.stringify(values).length > longestState ? {} : { values };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const isGone = (error instanceof UnreachableError && !isLate(error)) || error instanceof AnswerError;
    return isGone ? { gone: error.message } : {};
  }
}

function isLate({ cause }: UnreachableError): boolean {
  return cause instanceof DOMException && cause.name === 'TimeoutError';
}

/** The name and the value of a variable; nothing if the scanner does not have it. */
async function readIfThere(scanner: Scanner, name: string): Promise<readonly [string, unknown][]> {
  try {
    return [[name, await scanner.readAny(name)]];
  } catch (error) {
    if (error instanceof ScannerError) return [];
    throw error;
  }
}
