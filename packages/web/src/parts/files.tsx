import { sizeText } from './texts.js';

/** A button that asks for a file of this computer. The same file can be chosen again. */
export function FileChoice({
  label,
  accept,
  disabled = false,
  onFile,
}: {
  label: string;
  /** Endings, as in `.json,.azb`. The person may choose another file all the same. */
  accept: string;
  disabled?: boolean;
  onFile: (file: File) => void;
}) {
  return (
    <label class={`button file-choice${disabled ? ' disabled' : ''}`}>
      {label}
      <input
        type="file"
        class="hidden-text"
        accept={accept}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
    </label>
  );
}

/** Has the browser save a file that is here already. */
export function saveFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A name for a file of a scanner: its title in plain letters, the date and the time of this computer, and an ending. */
export function fileNameOf(title: string, what: string, ending: string, now = new Date()): string {
  const plain = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '');
  const two = (number: number) => String(number).padStart(2, '0');
  const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}`;
  return `${[plain, what, date, time].filter((part) => part !== '').join('-')}.${ending}`;
}

/** A file that the browser has saved. */
export interface SavedFile {
  readonly name: string;
  readonly bytes: number;
}

/** Has the browser save a file of a scanner. */
export function savedFile(
  title: string,
  what: string,
  ending: string,
  content: Uint8Array<ArrayBuffer>,
): SavedFile {
  const name = fileNameOf(title, what, ending);
  saveFile(name, content, ending === 'zip' ? 'application/zip' : 'application/octet-stream');
  return { name, bytes: content.length };
}

export function savedFileWords({ name, bytes }: SavedFile): string {
  return `${name} is saved, ${sizeText(bytes)}.`;
}
