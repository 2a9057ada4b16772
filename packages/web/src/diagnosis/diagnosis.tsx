import { useComputed, useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { scanner } from '../connection/current.js';
import { metricsIn } from '../connection/metrics-page.js';
import { fileNameOf, saveFile } from '../parts/save-file.js';
import { ArchivePanel } from './archive-panel.js';
import { reportOf, reportText } from './report.js';
import '../style/forms.css';
import '../style/maintain.css';

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
