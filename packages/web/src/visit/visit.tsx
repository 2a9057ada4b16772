import { useSignal } from '@preact/signals';
import { CopyOrSave } from '../connection/copy-or-save.js';
import { scanner } from '../connection/current.js';
import { declaredVariable } from '../connection/declarations.js';
import type { Change } from '../connection/history.js';
import { changesTo } from '../forms/differences.js';
import { setting } from '../parts/inputs.js';
import { PageContent, Panel, Table } from '../parts/panels.js';
import { localSecond } from '../parts/texts.js';
import { azimuthLines, curlLines } from './commands.js';
import '../style/forms.css';

export default function Visit() {
  const changes = scanner().history.changes.value;
  return (
    <PageContent title="This visit">
      <p class="lead">
        What you have changed since this page was opened, and commands that do it again: here, or on another
        scanner.
      </p>
      {changes.length === 0 ? (
        <p class="empty">
          You have not changed anything yet. What you change on any page is listed here, until you reload or
          close the page.
        </p>
      ) : (
        <>
          <ChangeTable changes={changes} />
          <Commands changes={changes} />
        </>
      )}
    </PageContent>
  );
}

function ChangeTable({ changes }: { changes: readonly Change[] }) {
  return (
    <Table
      rows={changes}
      keyOf={({ at, name }) => `${at.getTime()} ${name}`}
      columns={[
        ['Time', ({ at }) => localSecond(at)],
        ['Changed', ({ name }) => name, 'head'],
        ['How', (change) => partsOf(change).map((part) => <div key={part}>{part}</div>)],
      ]}
    />
  );
}

/** The effect of a change: a line for each part of the value that it has changed. */
function partsOf(change: Change): readonly string[] {
  if (change.kind === 'call') {
    return [change.request === undefined ? 'done' : `done with ${JSON.stringify(change.request)}`];
  }
  const variable = declaredVariable(change.name, scanner().known.value);
  const parts =
    variable === undefined
      ? []
      : changesTo(
          [variable],
          () => change.before,
          () => change.after,
        );
  if (parts.length === 0) return ['written with the value that it had'];
  return parts.map((part) => part.slice(change.name.length).replace(/^(?:\.|: )/, ''));
}

const forms = [
  ['azimuth', 'azimuth', azimuthLines],
  ['curl', 'curl', curlLines],
] as const;

function Commands({ changes }: { changes: readonly Change[] }) {
  const chosen = useSignal<(typeof forms)[number]>(forms[0]);
  const [id, , linesOf] = chosen.value;
  const script = `${linesOf(changes).join('\n')}\n`;
  return (
    <Panel title="Do it again" label="Commands">
      <fieldset class="segments" aria-label="As commands of">
        {forms.map((form) => (
          <button
            key={form[0]}
            type="button"
            aria-pressed={form === chosen.value}
            onClick={setting(chosen, form)}
          >
            {form[1]}
          </button>
        ))}
      </fieldset>
      <p class="soft">
        {id === 'azimuth'
          ? 'The command azimuth asks for the password, or takes it from AZIMUTH_PASSWORD.'
          : 'A script for a POSIX shell. Each POST needs a login of its own, so it begins with a function that makes one.'}{' '}
        No password is in it.
      </p>
      <pre>{script}</pre>
      <CopyOrSave
        key={script}
        what="changes"
        ending="sh"
        type="text/x-shellscript"
        text={() => script}
        copy="Copy"
        copyKind="main"
        save="Save as a script"
      />
    </Panel>
  );
}
