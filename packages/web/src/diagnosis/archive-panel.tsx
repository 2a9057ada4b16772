import { diagnosticFile } from '@azimuth/model';
import { mayNow } from '../connection/attempt.js';
import { scanner } from '../connection/current.js';
import { levelToCall } from '../connection/needed-level.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { NeedsLevel } from '../forms/needs-level.js';
import { jobs } from '../jobs/job.js';
import { JobProgress } from '../jobs/job-progress.js';
import { fileNameOf, saveFile } from '../parts/save-file.js';
import { sizeText } from '../parts/size.js';

const level = levelToCall(diagnosticFile.members.DoDiagnosisDump);
const fetchingOf = jobs<ScannerLink, { readonly name: string; readonly bytes: number }>();

/** Has the scanner write its diagnostic archive, and downloads it. */
export function ArchivePanel() {
  const link = scanner();
  const job = fetchingOf(link);
  const make = async () => {
    if (!(await mayNow(level))) return;
    await job.run('The scanner writes the archive', async (tell) => {
      const download = await link.scanner.diagnose({
        onProgress: (done, total) => tell('Fetching the archive', done, total),
      });
      const bytes = await download.bytes();
      const name = fileNameOf(link.title.peek(), 'diagnosis', 'zip');
      saveFile(name, bytes, 'application/zip');
      return { name, bytes: bytes.length };
    });
  };
  const state = job.state.value;
  return (
    <section class="panel">
      <h2>Diagnostic archive</h2>
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
      <JobProgress job={job} failed="There is no archive" />
      {state.kind === 'done' && (
        <p class="soft" role="status">
          {state.result.name} is saved, {sizeText(state.result.bytes)}.
        </p>
      )}
    </section>
  );
}
