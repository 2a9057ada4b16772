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
