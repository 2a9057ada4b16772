import { NotDoneError, type Scanner } from '@azimuth/client';
import { allMethods, isObject, sameJson } from '@azimuth/model';
import type { Act, Finding, Fix } from './check.js';

/** What became of a fix. */
interface Fixed {
  readonly fix: Fix;
  readonly done: boolean;
}

/** What of a scanner fixes need. */
type FixedScanner = Pick<Scanner, 'readAny' | 'writeAny' | 'callAny'>;

/**
 * Offers the fixes of findings one by one, and carries those out that are agreed to.
 * @param agrees asks the person
 * @param scanner logs in when the first one is agreed to
 */
export async function fixesOffered(
  findings: readonly Finding[],
  agrees: (question: string) => Promise<boolean>,
  scanner: () => Promise<FixedScanner>,
): Promise<readonly Fixed[]> {
  const fixed: Fixed[] = [];
  const asked = new Set<string>();
  for (const { fix } of findings) {
    // Two findings can have one remedy.
    if (fix === undefined || asked.has(fix.question)) continue;
    asked.add(fix.question);
    const done = await agrees(fix.question);
    if (done) {
      const loggedIn = await scanner();
      for (const act of fix.acts) await carryOut(loggedIn, act);
    }
    fixed.push({ fix, done });
  }
  return fixed;
}

/** Does one act. What the scanner has already is not written. @throws NotDoneError if the scanner refuses a call */
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
