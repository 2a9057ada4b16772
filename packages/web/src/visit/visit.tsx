import { allVariables, extensionVariables } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { scanner } from '../connection/current.js';
import type { Change } from '../connection/history.js';
import { changesTo } from '../forms/differences.js';
import { fileNameOf, saveFile } from '../parts/files.js';
import { localSecond } from '../parts/times.js';
import { azimuthLines, curlLines } from './commands.js';
import '../style/forms.css';
import '../style/maintain.css';

const variables = new Map(
  [...allVariables, ...extensionVariables].map((variable) => [variable.name, variable]),
);

/** What was changed in this visit, and the commands that repeat it. */
export function Visit() {
  const changes = scanner().history.changes.value;
  return (
    <div class="content">
      <header class="lead">
        <h1>This visit</h1>
        <p class="soft">
          What you have changed since this page was opened, and commands that do it again: here, or on another
          scanner.
        </p>
      </header>
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
    </div>
  );
}

function ChangeTable({ changes }: { changes: readonly Change[] }) {
  return (
    <div class="wide">
      <table class="visit">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Changed</th>
            <th scope="col">How</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={`${change.at.getTime()} ${change.name}`}>
              <td>{localSecond(change.at)}</td>
              <th scope="row">{change.name}</th>
              <td>
                {partsOf(change).map((part) => (
                  <div key={part}>{part}</div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What a change did, a line for each part of the value that it has changed. */
function partsOf(change: Change): readonly string[] {
  if (change.kind === 'call') {
    return [change.request === undefined ? 'done' : `done with ${JSON.stringify(change.request)}`];
  }
  const variable = variables.get(change.name);
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
  const link = scanner();
  const chosen = useSignal<(typeof forms)[number]>(forms[0]);
  const copied = useSignal('');
  const [id, , linesOf] = chosen.value;
  const script = `${linesOf(changes).join('\n')}\n`;
  const copy = async () => {
    await navigator.clipboard.writeText(script);
    copied.value = script;
  };
  return (
    <section class="panel" aria-label="Commands">
      <h2>Do it again</h2>
      <fieldset class="segments" aria-label="As commands of">
        {forms.map((form) => (
          <button
            key={form[0]}
            type="button"
            aria-pressed={form === chosen.value}
            onClick={() => {
              chosen.value = form;
            }}
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
      <div class="row">
        {/* Browsers copy only on pages that came by HTTPS, or from this computer. */}
        {isSecureContext && (
          <button type="button" class="main" onClick={copy}>
            Copy
          </button>
        )}
        <button
          type="button"
          onClick={() =>
            saveFile(fileNameOf(link.title.peek(), 'changes', 'sh'), script, 'text/x-shellscript')
          }
        >
          Save as a script
        </button>
        <span class="soft small" role="status">
          {copied.value === script ? 'Copied.' : ''}
        </span>
      </div>
    </section>
  );
}
