import type { Signal } from '@preact/signals';
import type { ComponentChildren, SelectHTMLAttributes } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/** A value, its words, and whether it cannot be chosen. */
export type Option<V> = readonly [value: V, words: ComponentChildren, disabled?: boolean];

export type ChoiceProperties<V extends string | number> = {
  readonly label?: string;
  readonly words?: ComponentChildren;
  readonly kind?: string;
  readonly value: V | undefined;
  readonly options: readonly Option<V>[];
  readonly choose: (value: V) => void;
} & Pick<SelectHTMLAttributes<HTMLSelectElement>, 'id' | 'class' | 'aria-invalid' | 'aria-describedby'>;

/**
 * One of some values. Further attributes are those of the element.
 * @param words stand in front of it, in a label of the class `kind`. Without words, it needs a `label`
 */
export function Choice<V extends string | number>({
  label,
  words,
  kind,
  value,
  options,
  choose,
  ...attributes
}: ChoiceProperties<V>) {
  const own = useId();
  const id = words === undefined ? attributes.id : own;
  const select = (
    <select
      aria-label={label}
      {...attributes}
      id={id}
      value={String(value)}
      onChange={({ currentTarget }) => {
        const chosen = options[currentTarget.selectedIndex];
        if (chosen !== undefined) choose(chosen[0]);
      }}
    >
      {options.map(([one, text, disabled]) => (
        <option key={one} value={String(one)} disabled={disabled}>
          {text}
        </option>
      ))}
    </select>
  );
  if (words === undefined) return select;
  return (
    <label class={kind} htmlFor={own}>
      {words}
      {select}
    </label>
  );
}

/** A box to be ticked, with its words behind it. */
export function Tick({
  checked,
  change,
  disabled,
  kind = 'row',
  title,
  children,
}: {
  checked: boolean;
  change: (checked: boolean) => void;
  disabled?: boolean;
  kind?: string;
  title?: string;
  children: ComponentChildren;
}) {
  return (
    <label class={kind} title={title}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
      {children}
    </label>
  );
}

/** Returns the properties with which a box sets a signal. */
export function ticking(of: Signal<boolean>) {
  return {
    checked: of.value,
    change: (checked: boolean) => {
      of.value = checked;
    },
  };
}

/** Returns the properties with which a choice sets a signal. */
export function choosing<V>(of: Signal<V>) {
  return {
    value: of.value,
    choose: (value: V) => {
      of.value = value;
    },
  };
}

/** Returns the properties with which a press sets a signal. */
export function setting<V>(of: Signal<V>, value: NoInfer<V>) {
  return () => {
    of.value = value;
  };
}

/** An input for words to search for. */
export function SearchInput({
  label,
  placeholder = label,
  typed,
  kind,
}: {
  label: string;
  placeholder?: string;
  typed: Signal<string>;
  kind?: string;
}) {
  return (
    <input
      type="search"
      class={kind}
      aria-label={label}
      placeholder={placeholder}
      value={typed.value}
      onInput={({ currentTarget }) => {
        typed.value = currentTarget.value;
      }}
    />
  );
}

/**
 * Follows the keys that are pressed anywhere on the page, except those that are typed into an element.
 * @param act returns true for its own key, which then has no other effect
 * @param isFirst true to call it before the elements of the page
 */
export function useKeys(act: (event: KeyboardEvent) => boolean, isFirst = false): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isTyped(event.target) && latest.current(event)) event.preventDefault();
    };
    addEventListener('keydown', onKey, { capture: isFirst });
    return () => removeEventListener('keydown', onKey, { capture: isFirst });
  }, [isFirst]);
}

/** True if a key belongs to an element that is typed into. */
function isTyped(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input, select, textarea, dialog, [contenteditable]') !== null
  );
}
