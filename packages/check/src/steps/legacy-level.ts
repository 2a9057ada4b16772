import { factoryPasswords, type LoginLevel } from '@azimuth/model';
import { loginPayload } from './legacy-login.js';
import { awaitFrame, formOf, type LegacyLine, type LegacySession, sessionOf } from './legacy-session.js';
import { NotTestable, type StepContext, Unmet } from './step-context.js';

/** Switches a level of the legacy protocol on or off for a case. It is as before when the case is over. */
export interface LegacyLevelStep {
  readonly kind: 'legacy-level';
  readonly level: Exclude<LoginLevel, 'Service'>;
  readonly isOn: boolean;
}

export function legacyLevel(level: LegacyLevelStep['level'], isOn = true): LegacyLevelStep {
  return { kind: 'legacy-level', level, isOn };
}

const numbers = { Maintenance: 2, AuthorizedClient: 3 } as const;

/** @throws NotTestable if the level's password is not known, or the scanner does not switch levels; NoAnswer */
export async function performLegacyLevel(
  { level, isOn }: LegacyLevelStep,
  context: StepContext,
): Promise<void> {
  const letter = context.target.legacyA === undefined ? 'B' : 'A';
  const line: LegacyLine = { interface: letter, connection: `switches ${level}` };
  const session = await sessionOf(line, context);
  const ask = (payload: Buffer) => answerTo(payload, session, line, context);
  const check = loginPayload({ method: 'CheckPassword', level }, formOf(line), context);
  const wasOn = isGranted(await ask(check));
  const service = loginPayload({ method: 'SetAccessMode', level: 'Service' }, formOf(line), context);
  const change = async (on: boolean) => {
    await ask(service);
    return ask(switching(numbers[level], on, line));
  };
  if (!wasOn) {
    await change(true);
    if (!isGranted(await ask(check))) {
      await change(false);
      throw levelStaysOff(level, context);
    }
  }
  context.closeAtEnd(() => change(wasOn));
  await change(isOn);
}

/** The password may be another one, unless it is stated, or is that of a new device. */
function levelStaysOff(level: LegacyLevelStep['level'], { target }: StepContext): Error {
  const isCertain =
    target.legacyPasswords?.[level] !== undefined || target.passwords[level] === factoryPasswords[level];
  return isCertain
    ? new Unmet({ at: `EnableLegacyUserLevel for ${level}`, expected: 'its login answers 1', came: '0' })
    : new NotTestable(`needs the legacy password of ${level}`);
}

function switching(level: number, on: boolean, line: LegacyLine): Buffer {
  const head = Buffer.from('sMN EnableLegacyUserLevel ');
  const values =
    formOf(line) === 'text' ? Buffer.from(`${level} ${Number(on)}`) : Buffer.of(level, Number(on));
  return Buffer.concat([head, values]);
}

async function answerTo(
  payload: Buffer,
  session: LegacySession,
  line: LegacyLine,
  context: StepContext,
): Promise<Buffer> {
  session.send(payload, formOf(line), true);
  const frame = await awaitFrame(session, { expected: 'an answer', isWanted: () => true }, context);
  return frame.payload;
}

/** True if the answer ends with 1, as a character or as a byte. */
function isGranted(answer: Buffer): boolean {
  return [0x31, 1].includes(answer.at(-1) ?? 0);
}
