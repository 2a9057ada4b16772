import { counted, cybersecurity } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt } from '../connection/attempt.js';
import { levelToCall } from '../connection/needed-level.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { NeedsLevel } from '../forms/needs-level.js';
import { tellFailure } from '../parts/dialogs.js';
import { FileChoice } from '../parts/file-choice.js';

const { setCertificateBundle } = cybersecurity.members;
const level = levelToCall(setCertificateBundle);

/** Characters that the scanner takes at most. */
const longest = { certificates: 10_000, key: 4000 } as const;

interface Chosen {
  readonly name: string;
  readonly text: string;
}

/** Certificates and their key, from two files. */
export function Upload({ link, done }: { link: ScannerLink; done: () => void }) {
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
    const isSet = await attempt(busy, level, () =>
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
        <NeedsLevel level={level} />
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
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

function nameFor(host: string): string {
  return /^[\d.]+$|:/.test(host) ? `IP:${host}` : `DNS:${host}`;
}
