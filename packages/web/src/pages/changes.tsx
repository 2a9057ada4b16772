import { useSignal } from '@preact/signals';
import { scanner } from '../connection/current.js';
import { commandOf } from '../connection/history.js';

/** What was changed in this visit, as commands that repeat it. */
export default function Changes() {
  const link = scanner();
  const changes = link.history.changes.value;
  const copied = useSignal(false);
  const commands = changes.flatMap((change) => commandOf(change, link.shownUrl) ?? []).join('\n');
  const copy = async () => {
    await navigator.clipboard.writeText(commands);
    copied.value = true;
  };
  return (
    <div class="content">
      <header class="lead">
        <h1>Changes of this visit</h1>
        <p class="soft">What you have changed since this page was opened, as commands that do it again.</p>
      </header>
      {changes.length === 0 ? (
        <p class="empty">Nothing was changed yet.</p>
      ) : (
        <>
          <pre>{commands}</pre>
          <div class="row">
            <button type="button" onClick={copy}>
              {copied.value ? 'Copied' : 'Copy'}
            </button>
          </div>
        </>
      )}
    </div>
  );
}
