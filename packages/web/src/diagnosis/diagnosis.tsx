import { useEffect } from 'preact/hooks';
import { CopyOrSave } from '../connection/copy-or-save.js';
import { scanner } from '../connection/current.js';
import { ofEachScanner } from '../connection/scanner-link.js';
import { metricsWatch } from '../data-route/sending.js';
import { type SavedFile, savedFile, savedFileWords } from '../parts/files.js';
import { Facts, PageContent, Panel } from '../parts/panels.js';
import { reportOf, reportText } from './report.js';
import '../style/forms.css';
import { diagnosticFile } from '@azimuth/model';
import { mayNow, NeedsLevel } from '../connection/acts.js';
import { levelToCall } from '../connection/declarations.js';
import { Job, JobProgress } from '../parts/jobs.js';

export default function Diagnosis() {
  const link = scanner();
  useEffect(() => metricsWatch(link).open(), [link]);
  const sections = reportOf(link, metricsWatch(link).page.value);
  return (
    <PageContent title="Diagnosis">
      <p class="lead">
        How the scanner is in all its parts, and a file for those who help if something is wrong.
      </p>
      <CopyOrSave
        what="diagnosis"
        ending="txt"
        type="text/plain"
        text={() => reportText(link.title.peek(), new Date(), sections)}
        copy="Copy as text"
        save="Save as text"
        note="Without passwords and keys."
      />
      <div class="panels">
        {sections.map(({ title, facts }) => (
          <Panel key={title} title={title}>
            <Facts of={facts} />
          </Panel>
        ))}
      </div>
      <ArchivePanel />
    </PageContent>
  );
}

const level = levelToCall(diagnosticFile.members.DoDiagnosisDump);
const fetchingOf = ofEachScanner(() => new Job<SavedFile>());

function ArchivePanel() {
  const link = scanner();
  const job = fetchingOf(link);
  const make = async () => {
    if (!(await mayNow(level))) return;
    await job.run('The scanner writes the archive', async (tell) => {
      const download = await link.scanner.diagnose({
        onProgress: (done, total) => tell('Fetching the archive', done, total),
      });
      return savedFile(link.title.peek(), 'diagnosis', 'zip', await download.bytes());
    });
  };
  return (
    <Panel title="Diagnostic archive">
      <p class="soft">
        A zip file with all values, the log of the scanner and its network settings. A virtual scanner puts no
        passwords and keys into it. The scanner keeps one archive; a new one replaces it.
      </p>
      <div class="row">
        <button type="button" class="main" disabled={job.isRunning} onClick={make}>
          Download the archive
        </button>
        <NeedsLevel level={level} />
      </div>
      <JobProgress job={job} failed="There is no archive" done={savedFileWords} />
    </Panel>
  );
}
