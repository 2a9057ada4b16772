import type { FieldEditor } from './field-editor.js';

/** Leads from what is selected back to the list of all fields and groups. */
export function BackToList({ editor }: { editor: FieldEditor }) {
  const back = () => {
    editor.selection.value = undefined;
  };
  return (
    <button type="button" class="plain back" onClick={back}>
      <span aria-hidden="true">‹</span> All fields
    </button>
  );
}
