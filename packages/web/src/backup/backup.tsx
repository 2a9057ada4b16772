import { backupRestore } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { mayNow, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { levelToCall } from '../connection/declarations.js';
import { ofEachScanner } from '../connection/scanner-link.js';
import { type SavedFile, savedFile, savedFileWords } from '../parts/files.js';
import { Job, JobProgress } from '../parts/jobs.js';
import { PageContent, Panel } from '../parts/panels.js';
import { Passphrase, RestorePanel } from './restore-panel.js';
import '../style/forms.css';
import '../style/backup.css';

const { CreateParameterBackup } = backupRestore.members;
const savingOf = ofEachScanner(() => new Job<SavedFile>());

export default function Backup() {
  return (
    <PageContent title="Backup and restore">
      <p class="lead">
        Keep all parameters of the scanner in a file. Later, bring them back, or give them to a replacement
        scanner. Passwords and certificates are not in the file.
      </p>
      <MakeBackup />
      <RestorePanel />
    </PageContent>
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
      return savedFile(link.title.peek(), 'backup', secret === '' ? 'json' : 'azb', bytes);
    });
  };
  return (
    <Panel title="Make a backup">
      <p class="soft">
        The file has the values that are in use now, saved or not. With a passphrase it is encrypted. Nobody
        can restore it without the passphrase.
      </p>
      <form class="row end" onSubmit={make}>
        <Passphrase words="Passphrase, if you want one" autocomplete="new-password" text={passphrase} />
        <button type="submit" class="main" disabled={job.isRunning}>
          Download a backup
        </button>
        <NeedsLevel level={level} />
      </form>
      <JobProgress job={job} failed="There is no backup" done={savedFileWords} />
    </Panel>
  );
}
