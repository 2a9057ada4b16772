import { backupRestore } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { mayNow, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { levelToCall } from '../connection/declarations.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { fileNameOf, saveFile, sizeText } from '../parts/files.js';
import { JobProgress, jobs } from '../parts/jobs.js';
import { RestorePanel } from './restore-panel.js';
import '../style/forms.css';
import '../style/maintain.css';
import '../style/backup.css';

const { CreateParameterBackup } = backupRestore.members;
const savingOf = jobs<ScannerLink, { readonly name: string; readonly bytes: number }>();

/** All parameters into a file, and back. */
export function Backup() {
  return (
    <div class="content">
      <header class="lead">
        <h1>Backup and restore</h1>
        <p class="soft">
          Keep all parameters of the scanner in a file. Later, bring them back, or give them to a replacement
          scanner. Passwords and certificates are not in the file.
        </p>
      </header>
      <MakeBackup />
      <RestorePanel />
    </div>
  );
}

function MakeBackup() {
  const link = scanner();
  const passphrase = useSignal('');
  const job = savingOf(link);
  const level = levelToCall(CreateParameterBackup);
  const make = async (event: Event) => {
    event.preventDefault();
    if (!(await mayNow(level))) return;
    await job.run('The scanner writes the file', async (tell) => {
      const secret = passphrase.peek();
      const bytes = await link.scanner.backup({
        passphrase: secret || undefined,
        onProgress: (done, total) => tell('Fetching the file', done, total),
      });
      const name = fileNameOf(link.title.peek(), 'backup', secret === '' ? 'json' : 'azb');
      saveFile(name, bytes, 'application/octet-stream');
      return { name, bytes: bytes.length };
    });
  };
  const state = job.state.value;
  return (
    <section class="panel">
      <h2>Make a backup</h2>
      <p class="soft">
        The file has the values that are in use now, saved or not. With a passphrase it is encrypted. Nobody
        can restore it without the passphrase.
      </p>
      <form class="row end" onSubmit={make}>
        <label class="field">
          <span class="small soft">Passphrase, if you want one</span>
          <input
            type="password"
            autocomplete="new-password"
            maxLength={256}
            value={passphrase.value}
            onInput={({ currentTarget }) => {
              passphrase.value = currentTarget.value;
            }}
          />
        </label>
        <button type="submit" class="main" disabled={job.isRunning}>
          Download a backup
        </button>
        <NeedsLevel level={level} />
      </form>
      <JobProgress job={job} failed="There is no backup" />
      {state.kind === 'done' && (
        <p class="soft" role="status">
          {state.result.name} is saved, {sizeText(state.result.bytes)}.
        </p>
      )}
    </section>
  );
}
