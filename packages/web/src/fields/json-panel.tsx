import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { TextProblem } from './located-json.js';

/**
 * A part of the fields as text, to be copied, pasted and edited. What is typed is checked at once, and becomes a part of
 * the draft with a press.
 */
export function JsonPanel<T>({
  title,
  text,
  read,
  use,
}: {
  title: string;
  /** The part in the draft. */
  text: string;
  /** @throws TextProblem */
  read: (text: string) => T;
  use: (value: T) => void;
}) {
  const typed = useSignal<string | undefined>(undefined);
  const copied = useSignal<string | undefined>(undefined);
  const id = useId();
  const shown = typed.value ?? text;
  const problem = typed.value === undefined ? undefined : problemOf(read, typed.value);
  const take = () => {
    use(read(shown));
    typed.value = undefined;
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(shown);
      copied.value = 'Copied.';
    } catch {
      // Browsers let only pages with HTTPS write there.
      copied.value = 'This browser does not let the page copy: select the text, and press Ctrl+C.';
    }
  };
  return (
    <details class="json-panel">
      <summary>{title}</summary>
      <div class="stack">
        <textarea
          aria-label={title}
          aria-invalid={problem !== undefined}
          aria-describedby={id}
          spellcheck={false}
          rows={Math.min(16, shown.split('\n').length + 1)}
          value={shown}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
        <p id={id} class={`small ${problem === undefined ? 'soft' : 'refusal'}`} role="status">
          {problem !== undefined
            ? `Line ${problem.line}: ${problem.message}.`
            : typed.value === undefined
              ? (copied.value ?? 'Paste or edit it here.')
              : 'It is right. Use it makes it a part of the draft; nothing is sent.'}
        </p>
        <div class="row">
          <button
            type="button"
            class="main"
            disabled={typed.value === undefined || problem !== undefined}
            onClick={take}
          >
            Use it
          </button>
          <button
            type="button"
            disabled={typed.value === undefined}
            onClick={() => {
              typed.value = undefined;
            }}
          >
            As it was
          </button>
          <button type="button" onClick={copy}>
            Copy
          </button>
        </div>
      </div>
    </details>
  );
}

function problemOf(read: (text: string) => unknown, text: string): TextProblem | undefined {
  try {
    read(text);
    return undefined;
  } catch (error) {
    if (error instanceof TextProblem) return error;
    throw error;
  }
}
