import type { Signal } from '@preact/signals';

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
