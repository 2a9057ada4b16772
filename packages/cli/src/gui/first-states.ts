import { concurrently } from '@azimuth/async';
import { AnswerError, ClientError, Scanner, ScannerError, UnreachableError } from '@azimuth/client';

/** The variables that a list of scanners shows. */
const names = [
  'DeviceStatus',
  'LocationName',
  'DeviceIdent',
  'SerialNumber',
  'CurrentTempDev',
  'temperatureAlarmStatus',
] as const;

/**
 * Number of scanners that are read at the same time: a browser could read few. Silent scanners must not delay the
 * others.
 */
const atOnce = 256;

/**
 * Time limit for an answer in ms. A slower scanner counts neither as reachable nor as away: the page finds out by
 * itself.
 */
const readTimeout = 1500;

/** Maximum characters of a state. The scanner may be hostile, and a list shows little. */
const maxStateLength = 10_000;

/** State of a scanner when a page begins. Without values and reason, it is not known. */
export interface FirstState {
  /** Its number, from 0 on. */
  readonly scanner: number;
  /** Its values, by the names of variables. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** The reason why it cannot be reached. */
  readonly gone?: string;
}

/**
 * Reads all scanners at the same time, so that a list of many is right from the beginning.
 * @param onState gets each state when it is known
 */
export async function firstStates(
  urls: readonly string[],
  onState: (state: FirstState) => void,
): Promise<void> {
  await concurrently(atOnce, [...urls.entries()], async ([scanner, url]) => {
    onState({ scanner, ...(await firstState(new Scanner({ url, timeoutMs: readTimeout }))) });
  });
}

async function firstState(scanner: Scanner): Promise<Omit<FirstState, 'scanner'>> {
  const [first, ...others] = names;
  try {
    const firstValue = await readIfExists(scanner, first);
    const more = await Promise.all(others.map((name) => readIfExists(scanner, name)));
    const values = Object.fromEntries([...firstValue, ...more.flat()]);
    return JSON.stringify(values).length > maxStateLength ? {} : { values };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const isAway = (error instanceof UnreachableError && !isLate(error)) || error instanceof AnswerError;
    return isAway ? { gone: error.message } : {};
  }
}

function isLate({ cause }: UnreachableError): boolean {
  return cause instanceof DOMException && cause.name === 'TimeoutError';
}

/** Returns the name and the value of a variable; nothing if the scanner does not have it. */
async function readIfExists(scanner: Scanner, name: string): Promise<readonly [string, unknown][]> {
  try {
    return [[name, await scanner.readAny(name)]];
  } catch (error) {
    if (error instanceof ScannerError) return [];
    throw error;
  }
}
