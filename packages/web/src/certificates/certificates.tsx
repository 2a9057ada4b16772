import { counted, cybersecurity, type TypeOf } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { Act, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { knownValue, levelToCall } from '../connection/declarations.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { tellFailure } from '../parts/dialogs.js';
import { Facts, PageContent, Panel } from '../parts/panels.js';
import { StateMark } from '../parts/states.js';
import { localTimeIn } from '../parts/texts.js';
import { browserWarnings } from './warnings.js';
import '../style/forms.css';
import { FileChoice } from '../parts/files.js';

const { httpsStatus, certificateBundleInfo, removeCertificateBundle } = cybersecurity.members;
const level = levelToCall(removeCertificateBundle);

type Certificate = TypeOf<typeof certificateBundleInfo.type>['certificates'][number];

export default function Certificates() {
  const link = scanner();
  const again = () => link.readings.readAll();
  return (
    <PageContent title="Certificates">
      <p class="lead">
        With a certificate, the scanner can be reached over HTTPS: nobody on the way reads or changes what is
        sent. Without one, HTTPS is closed. HTTP stays open.
      </p>
      <Now link={link} done={again} />
      <Upload link={link} done={again} />
    </PageContent>
  );
}

function Now({ link, done }: { link: ScannerLink; done: () => void }) {
  const status = knownValue(link, httpsStatus);
  const bundle = knownValue(link, certificateBundleInfo);
  const certificates = bundle?.certificates ?? [];
  const error = status?.errorCode.error ?? 'None';
  const remove = async () => {
    await link.scanner.removeCertificates();
    link.history.called(removeCertificateBundle.name, undefined);
    done();
  };
  const question = () => ({
    title: 'Remove the certificate?',
    text: 'HTTPS closes. Pages and programs that use HTTPS lose the scanner; over HTTP it stays reachable.',
    calls: removeCertificateBundle,
    lines: certificates.map(({ subject }) => subject),
    act: 'Remove',
    danger: true,
  });
  return (
    <Panel title="Now">
      {status === undefined ? (
        <p class="soft">…</p>
      ) : (
        <StateMark severity={status.enabled ? 'good' : 'idle'}>
          {status.enabled ? 'HTTPS is open' : 'HTTPS is closed'}
        </StateMark>
      )}
      {error !== 'None' && error !== '' && <p class="soft">{error}</p>}
      {certificates.map((certificate, index) => (
        <CertificateFacts
          key={certificate.fingerprint}
          certificate={certificate}
          title={index === 0 ? 'Certificate of the scanner' : `Issuer ${index}`}
          warnings={index === 0 ? browserWarnings(certificate, addressIn(link.shownUrl), Date.now()) : []}
        />
      ))}
      {certificates.length > 0 && (
        <div class="row">
          <Act kind="danger" level={level} act={remove} question={question}>
            Remove …
          </Act>
          <NeedsLevel level={level} />
        </div>
      )}
    </Panel>
  );
}

interface FactsProperties {
  readonly certificate: Certificate;
  readonly title: string;
  readonly warnings: readonly string[];
}

function CertificateFacts({ certificate, title, warnings }: FactsProperties) {
  const { subject, issuer, names, validNotBefore, validNotAfter, fingerprint } = certificate;
  return (
    <div class="stack">
      <h3>{title}</h3>
      {warnings.map((warning) => (
        <p key={warning} class="notice warn">
          {warning}
        </p>
      ))}
      <Facts
        of={[
          ['Subject', subject],
          ['Issuer', issuer === subject ? 'itself' : issuer],
          ['Names', names.length === 0 ? 'none' : names.map(({ entry }) => entry).join(', ')],
          ['Valid', `${localTimeIn(validNotBefore)} to ${localTimeIn(validNotAfter)}`],
          ['Fingerprint', <span class="value">{fingerprint}</span>],
        ]}
      />
    </div>
  );
}

const { setCertificateBundle } = cybersecurity.members;
const levelToSet = levelToCall(setCertificateBundle);

/** Largest number of characters that the scanner accepts. */
const longest = { certificates: 10_000, key: 4000 } as const;

interface Chosen {
  readonly name: string;
  readonly text: string;
}

function Upload({ link, done }: { link: ScannerLink; done: () => void }) {
  const certificates = useSignal<Chosen | undefined>(undefined);
  const key = useSignal<Chosen | undefined>(undefined);
  const load = async (file: File, most: number, into: typeof certificates) => {
    if (file.size > most)
      tellFailure(`${file.name} has ${counted(file.size, 'byte')}, and a scanner takes at most ${most}.`);
    else into.value = { name: file.name, text: await file.text() };
  };
  const send = async () => {
    const [chain, secret] = [certificates.value, key.value];
    if (chain === undefined || secret === undefined) return;
    await link.scanner.setCertificates({ certificates: chain.text, privateKey: secret.text });
    // The key is not stored, not even in the history.
    key.value = undefined;
    certificates.value = undefined;
    link.history.called(setCertificateBundle.name, undefined);
    done();
  };
  const isPlain = !link.shownUrl.startsWith('https:') && !/^http:\/\/(127\.|localhost)/.test(link.shownUrl);
  return (
    <Panel title="Set a certificate">
      <p class="soft">
        Two files in PEM: the certificate of the scanner with those of its issuers, and its private key
        without a passphrase. HTTPS opens at once.
      </p>
      {isPlain && (
        <p class="notice warn">
          This page uses HTTP, so the private key can be read on its way. Do this in a network that you trust.
        </p>
      )}
      {(
        [
          ['Choose the certificate', '.pem,.crt,.cer', longest.certificates, certificates],
          ['Choose the private key', '.pem,.key', longest.key, key],
        ] as const
      ).map(([label, accept, most, into]) => (
        <div class="row" key={label}>
          <FileChoice label={label} accept={accept} onFile={(file) => void load(file, most, into)} />
          <span class="file-name">{into.value?.name}</span>
        </div>
      ))}
      <div class="row">
        <Act
          kind="main"
          level={levelToSet}
          disabled={certificates.value === undefined || key.value === undefined}
          act={send}
        >
          Set the certificate
        </Act>
        <NeedsLevel level={levelToSet} />
      </div>
      <details class="collapsible">
        <summary>Make a self-signed certificate</summary>
        <p class="soft small">The scanner cannot make one. On a computer with OpenSSL:</p>
        <pre class="wide">
          <code>
            {`openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 -subj /CN=scanner \\
  -addext subjectAltName=${nameFor(addressIn(link.shownUrl))} -keyout key.pem -out certificate.pem`}
          </code>
        </pre>
      </details>
    </Panel>
  );
}

/** The name or address in a URL, without brackets. */
function addressIn(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

function nameFor(address: string): string {
  return /^[\d.]+$|:/.test(address) ? `IP:${address}` : `DNS:${address}`;
}
