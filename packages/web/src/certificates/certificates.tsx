import { counted, cybersecurity, type TypeOf } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt, mayNow, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { knownValue, levelToCall } from '../connection/declarations.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { confirmed, tellFailure } from '../parts/dialogs.js';
import { StateMark } from '../parts/states.js';
import { browserWarnings } from './warnings.js';
import '../style/forms.css';
import '../style/maintain.css';
import { FileChoice } from '../parts/files.js';

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

const { setCertificateBundle } = cybersecurity.members;
const levelToSet = levelToCall(setCertificateBundle);

/** Characters that the scanner takes at most. */
const longest = { certificates: 10_000, key: 4000 } as const;

interface Chosen {
  readonly name: string;
  readonly text: string;
}

/** Certificates and their key, from two files. */
function Upload({ link, done }: { link: ScannerLink; done: () => void }) {
  const certificates = useSignal<Chosen | undefined>(undefined);
  const key = useSignal<Chosen | undefined>(undefined);
  const busy = useSignal(false);
  const take = async (file: File, most: number, into: typeof certificates) => {
    if (file.size > most)
      tellFailure(`${file.name} has ${counted(file.size, 'byte')}, and a scanner takes at most ${most}.`);
    else into.value = { name: file.name, text: await file.text() };
  };
  const send = async () => {
    const [chain, secret] = [certificates.value, key.value];
    if (chain === undefined || secret === undefined) return;
    const isSet = await attempt(busy, levelToSet, () =>
      link.scanner.setCertificates({ certificates: chain.text, privateKey: secret.text }),
    );
    if (!isSet) return;
    // The key is kept nowhere, and not in the history either.
    key.value = undefined;
    certificates.value = undefined;
    link.history.called(setCertificateBundle.name, undefined);
    done();
  };
  const isPlain = !link.shownUrl.startsWith('https:') && !/^http:\/\/(127\.|localhost)/.test(link.shownUrl);
  return (
    <section class="panel">
      <h2>Set a certificate</h2>
      <p class="soft">
        Two files in PEM: the certificate of the scanner with those of its issuers, and its private key
        without a passphrase. HTTPS opens at once.
      </p>
      {isPlain && (
        <p class="notice warn">
          This page uses HTTP, so the private key can be read on its way. Do this in a network that you trust.
        </p>
      )}
      <div class="row">
        <FileChoice
          label="Choose the certificate"
          accept=".pem,.crt,.cer"
          take={(file) => void take(file, longest.certificates, certificates)}
        />
        <span class="file-name">{certificates.value?.name}</span>
      </div>
      <div class="row">
        <FileChoice
          label="Choose the private key"
          accept=".pem,.key"
          take={(file) => void take(file, longest.key, key)}
        />
        <span class="file-name">{key.value?.name}</span>
      </div>
      <div class="row">
        <button
          type="button"
          class="main"
          disabled={busy.value || certificates.value === undefined || key.value === undefined}
          onClick={send}
        >
          Set the certificate
        </button>
        <NeedsLevel level={levelToSet} />
      </div>
      <details class="collapsible">
        <summary>Make a self-signed certificate</summary>
        <p class="soft small">The scanner cannot make one. On a computer with OpenSSL:</p>
        <pre class="wide">
          <code>
            {`openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 -subj /CN=scanner \\
  -addext subjectAltName=${nameFor(hostOf(link.shownUrl))} -keyout key.pem -out certificate.pem`}
          </code>
        </pre>
      </details>
    </section>
  );
}

/** The name or address in a URL, without brackets. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

function nameFor(host: string): string {
  return /^[\d.]+$|:/.test(host) ? `IP:${host}` : `DNS:${host}`;
}
