import { useSignal } from '@preact/signals';
import { fileNameOf, saveFile } from '../parts/files.js';
import { scanner } from './current.js';

/** Buttons that copy a text of the scanner, and save it as a file. */
export function CopyOrSave({
  what,
  ending,
  type,
  text,
  copy,
  copyKind,
  save,
  note = '',
}: {
  /** Kind of the text, for the name of the file. */
  what: string;
  ending: string;
  type: string;
  text: () => string;
  copy: string;
  copyKind?: string;
  save: string;
  note?: string;
}) {
  const title = scanner().title.peek();
  const copied = useSignal<string | undefined>(undefined);
  return (
    <div class="row">
      {/* Browsers copy only on pages that came by HTTPS, or from this computer. */}
      {isSecureContext && (
        <button
          type="button"
          class={copyKind}
          onClick={async () => {
            const now = text();
            await navigator.clipboard.writeText(now);
            copied.value = now;
          }}
        >
          {copy}
        </button>
      )}
      <button type="button" onClick={() => saveFile(fileNameOf(title, what, ending), text(), type)}>
        {save}
      </button>
      <span class="soft small" role="status">
        {copied.value === undefined ? '' : 'Copied. '}
        {note}
      </span>
    </div>
  );
}
