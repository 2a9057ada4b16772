import { factoryPasswords, type LoginLevel } from '@azimuth/model';
import type { Signal } from '@preact/signals';

/** A password that is typed. @param failure id of the element that says why it was not accepted */
export function PasswordInput({
  password,
  wrong,
  failure,
}: {
  password: Signal<string>;
  wrong: boolean;
  failure: string;
}) {
  return (
    <label>
      Password
      <input
        type="password"
        autocomplete="current-password"
        value={password.value}
        aria-invalid={wrong}
        aria-describedby={failure}
        onInput={({ currentTarget }) => {
          password.value = currentTarget.value;
        }}
      />
    </label>
  );
}

/** A labelled input for a password that is set or proved. */
export function SecretInput({
  label,
  autocomplete,
  text,
}: {
  label: string;
  autocomplete: 'current-password' | 'new-password';
  text: Signal<string>;
}) {
  return (
    <label>
      {label}
      <input
        type="password"
        autocomplete={autocomplete}
        value={text.value}
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
