import { cybersecurity, type TypeOf } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt, mayNow } from '../connection/attempt.js';
import { scanner } from '../connection/current.js';
import { knownValue } from '../connection/known-value.js';
import { levelToCall } from '../connection/needed-level.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { NeedsLevel } from '../forms/needs-level.js';
import { confirmed } from '../parts/dialogs.js';
import { StateMark } from '../parts/state-mark.js';
import { hostOf, Upload } from './upload.js';
import { browserWarnings } from './warnings.js';
import '../style/forms.css';
import '../style/maintain.css';

const { httpsStatus, certificateBundleInfo, removeCertificateBundle } = cybersecurity.members;
const level = levelToCall(removeCertificateBundle);

type Certificate = TypeOf<typeof certificateBundleInfo.type>['certificates'][number];

/** The certificates of HTTPS. */
export function Certificates() {
  const link = scanner();
  const again = () => link.readings.readAll();
  return (
    <div class="content">
      <header class="lead">
        <h1>Certificates</h1>
        <p class="soft">
          With a certificate, the scanner can be reached over HTTPS: nobody on the way reads or changes what
          is sent. Without one, HTTPS is closed. HTTP stays open.
        </p>
      </header>
      <Now link={link} done={again} />
      <Upload link={link} done={again} />
    </div>
  );
}

function Now({ link, done }: { link: ScannerLink; done: () => void }) {
  const busy = useSignal(false);
  const status = knownValue(link, httpsStatus);
  const bundle = knownValue(link, certificateBundleInfo);
  const certificates = bundle?.certificates ?? [];
  const error = status?.errorCode.error ?? 'None';
  const remove = async () => {
    const question = {
      title: 'Remove the certificate?',
      text: 'HTTPS closes. Pages and programs that use HTTPS lose the scanner; over HTTP it stays reachable.',
      calls: removeCertificateBundle,
      lines: certificates.map(({ subject }) => subject),
      act: 'Remove',
      danger: true,
    };
    if (!(await mayNow(level)) || !(await confirmed(question))) return;
    const isRemoved = await attempt(busy, level, () => link.scanner.removeCertificates());
    if (!isRemoved) return;
    link.history.called(removeCertificateBundle.name, undefined);
    done();
  };
  return (
    <section class="panel">
      <h2>Now</h2>
      {status === undefined ? (
        <p class="soft">…</p>
      ) : (
        <StateMark severity={status.enabled ? 'good' : 'idle'}>
          {status.enabled ? 'HTTPS is open' : 'HTTPS is closed'}
        </StateMark>
      )}
      {error !== 'None' && error !== '' && <p class="soft">{error}</p>}
      {certificates.map((certificate, index) => (
        <Facts
          key={certificate.fingerprint}
          certificate={certificate}
          title={index === 0 ? 'Certificate of the scanner' : `Issuer ${index}`}
          warnings={index === 0 ? browserWarnings(certificate, hostOf(link.shownUrl), Date.now()) : []}
        />
      ))}
      {certificates.length > 0 && (
        <div class="row">
          <button type="button" class="danger" disabled={busy.value} onClick={remove}>
            Remove …
          </button>
          <NeedsLevel level={level} />
        </div>
      )}
    </section>
  );
}

interface FactsProperties {
  readonly certificate: Certificate;
  readonly title: string;
  readonly warnings: readonly string[];
}

function Facts({ certificate, title, warnings }: FactsProperties) {
  const { subject, issuer, names, validNotBefore, validNotAfter, fingerprint } = certificate;
  return (
    <div class="stack">
      <h3>{title}</h3>
      {warnings.map((warning) => (
        <p key={warning} class="notice warn">
          {warning}
        </p>
      ))}
      <dl class="facts">
        <dt>Subject</dt>
        <dd>{subject}</dd>
        <dt>Issuer</dt>
        <dd>{issuer === subject ? 'itself' : issuer}</dd>
        <dt>Names</dt>
        <dd>{names.length === 0 ? 'none' : names.map(({ entry }) => entry).join(', ')}</dd>
        <dt>Valid</dt>
        <dd>
          {validNotBefore} to {validNotAfter}
        </dd>
        <dt>Fingerprint</dt>
        <dd class="value">{fingerprint}</dd>
      </dl>
    </div>
  );
}
