import { factoryPasswords, type LoginLevel, loginLevels } from '@azimuth/model';
import { type Signal, useSignal } from '@preact/signals';
import { Choice, choosing } from '../parts/inputs.js';

/** What a form of a password is doing, and what became of it. */
interface Sending {
  readonly busy: Signal<boolean>;
  readonly failure: Signal<string>;
  readonly submit: (event: Event) => Promise<void>;
}

/**
 * Sends a form with a password.
 * @param act does it
 * @param wordsOf what is told about an error; undefined for one that is not expected, which is thrown
 */
export function useSending(
  act: () => Promise<void>,
  wordsOf: (error: unknown) => string | undefined,
): Sending {
  const busy = useSignal(false);
  const failure = useSignal('');
  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy.peek()) return;
    busy.value = true;
    failure.value = '';
    try {
      await act();
    } catch (error) {
      const words = wordsOf(error);
      if (words === undefined) throw error;
      failure.value = words;
    } finally {
      busy.value = false;
    }
  };
  return { busy, failure, submit };
}

/** The level of a login. @param disabled those that are listed, but cannot be chosen */
export function LevelSelect({
  level,
  of = loginLevels,
  disabled = [],
  wordsOf = (name) => name,
}: {
  level: Signal<LoginLevel>;
  of?: readonly LoginLevel[];
  disabled?: readonly LoginLevel[];
  wordsOf?: (level: LoginLevel) => string;
}) {
  return (
    <Choice
      words="Level"
      {...choosing(level)}
      options={of.map((name) => [name, wordsOf(name), disabled.includes(name)])}
    />
  );
}

/** A password that is typed. @param failure the element that says why it was not accepted, and whether it does */
export function SecretInput({
  label = 'Password',
  autocomplete = 'current-password',
  text,
  failure,
}: {
  label?: string;
  autocomplete?: 'current-password' | 'new-password' | 'off';
  text: Signal<string>;
  failure?: { readonly id: string; readonly isShown: boolean };
}) {
  return (
    <label>
      {label}
      <input
        type="password"
        autocomplete={autocomplete}
        value={text.value}
        aria-invalid={failure?.isShown}
        aria-describedby={failure?.id}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
      />
    </label>
  );
}

/** Why a new password cannot be sent; undefined if it can. */
export function faultOf(newPassword: string, repeated: string): string | undefined {
  if (newPassword === '') return 'The new password is empty.';
  return newPassword === repeated ? undefined : 'The two new passwords differ.';
}

/** What is unwise about a new password, though a scanner accepts it; undefined if nothing is known to be. */
export function doubtAbout(level: LoginLevel, newPassword: string): string | undefined {
  return newPassword === factoryPasswords[level]
    ? 'This is the factory password of this level. It is public.'
    : undefined;
}
