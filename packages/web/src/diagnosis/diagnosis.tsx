import { useComputed, useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { scanner } from '../connection/current.js';
import { metricsIn } from '../data-route/sending.js';
import { fileNameOf, saveFile, sizeText } from '../parts/files.js';
import { reportOf, reportText } from './report.js';
import '../style/forms.css';
import '../style/maintain.css';
import { diagnosticFile } from '@azimuth/model';
import { mayNow, NeedsLevel } from '../connection/acts.js';
import { levelToCall } from '../connection/declarations.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { JobProgress, jobs } from '../parts/jobs.js';

/** ms between two looks at what the scanner has sent. */
const lookEvery = 4000;

/** How the scanner is, and what its maker needs to help. */
export function Diagnosis() {
  const link = scanner();
  const metrics = useMetrics(link.url);
  const sections = useComputed(() => reportOf(link, metrics.value)).value;
  const copied = useSignal(false);
  const text = () => reportText(link.title.peek(), new Date(), sections);
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    copied.value = true;
  };
  return (
    <div class="content">
      <header class="lead">
        <h1>Diagnosis</h1>
        <p class="soft">
          How the scanner is in all its parts, and a file for those who help if something is wrong.
        </p>
      </header>
      <div class="row">
        {/* Browsers copy only on pages that came by HTTPS, or from this computer. */}
        {isSecureContext && (
          <button type="button" onClick={copy}>
            Copy as text
          </button>
        )}
        <button
          type="button"
          onClick={() => saveFile(fileNameOf(link.title.peek(), 'diagnosis', 'txt'), text(), 'text/plain')}
        >
          Save as text
        </button>
        <span class="soft small" role="status">
          {copied.value ? 'Copied. ' : ''}Without passwords and keys.
        </span>
      </div>
      <div class="panels">
        {sections.map(({ title, facts }) => (
          <section key={title} class="panel">
            <h2>{title}</h2>
            <dl class="facts">
              {facts.map(([name, fact]) => (
                <Fragment key={name}>
                  <dt>{name}</dt>
                  <dd>{fact}</dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <ArchivePanel />
    </div>
  );
}

/** The page `/metrics`, again and again; undefined while there is none. */
function useMetrics(url: string) {
  const metrics = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const aborted = new AbortController();
    const look = async () => {
      try {
        const response = await fetch(`${url}/metrics`, { signal: aborted.signal });
        if (response.ok) metrics.value = await metricsIn(response);
      } catch {
        // The scanner is gone: the strip says so.
      }
    };
    void look();
    const timer = setInterval(look, lookEvery);
    return () => {
      clearInterval(timer);
      aborted.abort();
    };
  }, [url, metrics]);
  return metrics;
}

const level = levelToCall(diagnosticFile.members.DoDiagnosisDump);
const fetchingOf = jobs<ScannerLink, { readonly name: string; readonly bytes: number }>();

/** Has the scanner write its diagnostic archive, and downloads it. */
function ArchivePanel() {
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
