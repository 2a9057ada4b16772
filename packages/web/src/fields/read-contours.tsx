import { useSignal } from '@preact/signals';
import { Act } from '../connection/acts.js';
import type { FieldEditor } from './field-editor.js';

/** Reads the contours of a scanner that shows them one by one, and only after a login. */
export function ReadContours({ editor }: { editor: FieldEditor }) {
  const busy = useSignal(false);
  if (!editor.scanner.lackContours.value) {
    return (
      <p class="small soft">
        This scanner lets one change contours. Everything else about its fields is set by the tool of its
        maker.
      </p>
    );
  }
  return (
    <div class="row">
      <Act kind="main" level="AuthorizedClient" busy={busy} act={() => editor.scanner.readContours()}>
        {busy.value ? 'Reading …' : 'Read the contours'}
      </Act>
      <span class="small soft">The scanner shows them only to somebody who is logged in.</span>
    </div>
  );
}
