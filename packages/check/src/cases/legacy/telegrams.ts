import type { LegacyExpectation, LegacyLogin, LegacySend, LegacyStep } from '../../steps/index.js';
import type { LegacyForm } from '../../wire/legacy-frames.js';
import type { ConformanceCase } from '../case.js';

/** The two forms of the protocol, each with the interface whose form it is. */
export const forms = [
  { form: 'text', interface: 'A' },
  { form: 'binary', interface: 'B' },
] as const satisfies readonly { readonly form: LegacyForm; readonly interface: 'A' | 'B' }[];

export type Form = (typeof forms)[number];

export const textForm = forms[0];
export const binaryForm = forms[1];

/** What a step may state besides what it sends and expects. */
type Options = Partial<Pick<LegacyStep, 'connection' | 'form' | 'interface' | 'save' | 'savePayload'>>;

/** Sends a telegram. @param takes layout of its values */
export function ask(
  { interface: letter }: Form,
  telegram: string,
  expect: LegacyExpectation,
  takes?: string,
  options: Options = {},
): LegacyStep {
  const send = takes === undefined ? { telegram } : { telegram, takes };
  return { kind: 'legacy', interface: letter, send, expect, ...options };
}

/** Sends something else, or nothing. */
export function over(
  { interface: letter }: Form,
  send: LegacySend | undefined,
  expect: LegacyExpectation,
  options: Options = {},
): LegacyStep {
  const sent = send === undefined ? {} : { send };
  return { kind: 'legacy', interface: letter, ...sent, expect, ...options };
}

/** Logs in, by default at level Service. */
export function login(
  form: Form,
  level: LegacyLogin['level'] = 'Service',
  options: Options = {},
): LegacyStep {
  return over(form, { login: { method: 'SetAccessMode', level } }, granted('SetAccessMode'), options);
}

/** A method answers with 1: done. */
export function granted(method: string): LegacyExpectation {
  return { answer: `sAN ${method}`, gives: 'bool', values: { is: '1' } };
}

/** A method answers with 0: not done. */
export function denied(method: string): LegacyExpectation {
  return { answer: `sAN ${method}`, gives: 'bool', values: { is: '0' } };
}

/** What every case of this area states alike. */
export function legacyCase(
  one: Omit<ConformanceCase, 'needs' | 'id'> & {
    readonly id: string;
    readonly needs?: ConformanceCase['needs'];
  },
): ConformanceCase {
  return { ...one, id: `legacy.${one.id}`, needs: one.needs ?? ['legacy'] };
}

/** Makes a case in both forms: the id ends with the form. */
export function inBothForms(
  make: (form: Form) => Omit<ConformanceCase, 'needs' | 'id'> & { readonly id: string },
): readonly ConformanceCase[] {
  return forms.map((form) => {
    const one = make(form);
    return legacyCase({ ...one, id: `${one.id}.${form.form}`, clause: `${one.clause} (In ${form.form}.)` });
  });
}

/** Names that a case needs; none for what has no name over REST. */
export function namesOf(rest: string | undefined): Pick<ConformanceCase, 'names'> {
  return rest === undefined ? {} : { names: [rest] };
}

/** Where the codes of errors are stated. */
export const codesPlace = 'family: error codes';

/** What every session can always ask. */
export const served = { answer: 'sRA SCdevicestate', gives: 'enum8' } as const;

/** Returns the code of an error as text telegrams have it. */
export function hexText(code: number): string {
  return code.toString(16).toUpperCase();
}
