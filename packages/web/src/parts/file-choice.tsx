/** A button that asks for a file of this computer. The same file can be chosen again. */
export function FileChoice({
  label,
  accept,
  disabled = false,
  take,
}: {
  label: string;
  /** Endings, as in `.json,.azb`. The person may choose another file all the same. */
  accept: string;
  disabled?: boolean;
  take: (file: File) => void;
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
          if (file !== undefined) take(file);
        }}
      />
    </label>
  );
}
