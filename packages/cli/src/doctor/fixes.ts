import { NotDoneError, type Scanner } from '@azimuth/client';
import { allMethods, isObject, sameJson } from '@azimuth/model';
import type { Act, Finding, Fix } from './check.js';

/** The result of a fix. */
interface Fixed {
  readonly fix: Fix;
  readonly done: boolean;
}

/** The functions of a scanner that fixes need. */
type FixedScanner = Pick<Scanner, 'readAny' | 'writeAny' | 'callAny'>;

/**
 * Offers the fixes of findings one by one, and applies the accepted ones.
 * @param agrees asks the user
 * @param scanner logs in when the first fix is accepted
 */
export async function fixesOffered(
  findings: readonly Finding[],
  agrees: (question: string) => Promise<boolean>,
  scanner: () => Promise<FixedScanner>,
): Promise<readonly Fixed[]> {
  const fixed: Fixed[] = [];
  const offered = new Set<string>();
  for (const { fix } of findings) {
    // Two findings can have the same fix.
    if (fix === undefined || offered.has(fix.question)) continue;
    offered.add(fix.question);
    const done = await agrees(fix.question);
    if (done) {
      const loggedIn = await scanner();
      for (const act of fix.acts) await carryOut(loggedIn, act);
    }
    fixed.push({ fix, done });
  }
  return fixed;
}

/**
 * Applies one fix. Values that the scanner has already are not written. @throws NotDoneError if the scanner refuses a
 * call
 */
async function carryOut(scanner: FixedScanner, act: Act): Promise<void> {
  if ('write' in act) {
    const now = await scanner.readAny(act.write);
    const value = 'members' in act ? { ...(isObject(now) ? now : {}), ...act.members } : act.value;
    if (!sameJson(now, value)) await scanner.writeAny(act.write, value);
    return;
  }
  const response = await scanner.callAny(
    act.call,
    'requestAt' in act ? act.requestAt(new Date()) : undefined,
  );
  const method = allMethods.find(({ name }) => name === act.call);
  const refusal = method?.refusalIn(isObject(response) ? response : {});
  if (refusal !== undefined) throw NotDoneError.refused(act.call, refusal);
}
