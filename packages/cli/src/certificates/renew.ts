import { counted } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';
import { confirmLoss } from '../input/prompt.js';
import type { RolloutOptions } from '../options/command.js';
import { withRollout } from '../rollout/with-rollout.js';
import { labelList } from '../scanners/chosen.js';
import { scannerAt, scannerWithLogin } from '../scanners/connection.js';
import type { Target } from '../scanners/target.js';
import { type Authority, authorityIn, certificatesIn } from './authority.js';
import { presented, requirePresented } from './handshake.js';
import {
  CertificateFolder,
  type CertificateSource,
  daysLeft,
  daysText,
  httpsPlaceOf,
  isDue,
  OwnAuthority,
} from './renewal.js';

const dayMs = 86_400_000;

/** Default of `--below`, in days. */
const usualBelow = 30;

/** Default of `--days`: the validity of a new certificate. Browsers accept at most 398 days. */
const usualDays = 397;

export interface RenewOptions extends RolloutOptions {
  readonly caKey?: string;
  readonly caCert?: string;
  readonly from?: string;
  readonly below?: number;
  readonly all?: boolean;
  readonly days?: number;
  readonly name?: readonly string[];
  readonly httpsPort?: number;
  readonly yes?: boolean;
}

/** Renews the certificates that end soon. A scanner has a certificate at any moment: the new one replaces the old. */
export async function renewCertificates(options: RenewOptions, words: readonly string[]): Promise<void> {
  const below = options.all === true ? Number.POSITIVE_INFINITY : (options.below ?? usualBelow);
  const { source, facts } = await sourceOf(options);
  await withRollout(options, { command: 'certificate renew', words, facts }, async (scanners) => {
    for (const target of scanners.targets) scannerAt(target); // Reports a wrong URL before any question.
    const left = await scanners.each((target) => daysLeft(target));
    const due = [...left].filter(([, days]) => isDue(days, below)).map(([target]) => target);
    if (due.length > 0) await confirmKeysOverHttp(due, options);
    const placeOf = (target: Target) => httpsPlaceOf(target, options.httpsPort);
    await scanners.change({
      readBefore: async (target) => ({ fingerprint: await fingerprintOf(target, options) }),
      isInForce: async (target, before) => {
        const shown = await presented(placeOf(target), source.trusted);
        return (
          shown?.refusal === undefined &&
          shown !== undefined &&
          shown.certificate.fingerprint256 !== before.fingerprint
        );
      },
      act: async (target, output) => {
        const days = left.get(target) ?? 'unknown';
        if (!isDue(days, below)) {
          await output.print({ renewed: false, days }, () => [`${daysText(days)}: left as it is`]);
          return;
        }
        const { leaf, bundle } = await source.newFor(target);
        const scanner = await scannerWithLogin(target);
        await scanner.setCertificates(bundle);
        await requirePresented(placeOf(target), leaf, source.trusted);
        const until = new Date(leaf.validTo).toISOString().slice(0, 10);
        await output.print({ renewed: true, until, fingerprint: leaf.fingerprint256 }, () => [
          `renewed (${daysText(days)}), valid until ${until}`,
        ]);
      },
    });
  });
}

async function fingerprintOf(target: Target, { httpsPort }: RenewOptions): Promise<string> {
  return (await presented(httpsPlaceOf(target, httpsPort)))?.certificate.fingerprint256 ?? 'none';
}

/** @throws CommandFailure for options that do not fit each other, and for files that are no authority */
async function sourceOf({
  caKey,
  caCert,
  from,
  days = usualDays,
  below = usualBelow,
  name = [],
}: RenewOptions): Promise<{ source: CertificateSource; facts: Readonly<Record<string, string>> }> {
  if (from !== undefined && caKey === undefined) {
    const trusted =
      caCert === undefined ? undefined : await readTextFile(caCert, { limit: maxFileBytes.pem });
    const source = new CertificateFolder(
      from,
      below,
      trusted === undefined ? undefined : certificatesIn(trusted),
    );
    return { source, facts: { from } };
  }
  if (from === undefined && caKey !== undefined && caCert !== undefined) {
    const authority = await authorityIn(caKey, caCert);
    // A new certificate has one day less at once: the rest of a day does not count.
    if (days <= below) {
      throw new CommandFailure(
        `--days ${days} is not more than --below ${below}: they would be renewed each time`,
      );
    }
    requireLongerThan(below, authority, caCert);
    const facts = { authority: authority.certificate.fingerprint256 };
    return { source: new OwnAuthority(authority, days, name), facts };
  }
  throw new CommandFailure(
    'expected --ca-key and --ca-cert of an authority (azimuth certificate authority FOLDER), or --from FOLDER',
  );
}

/** Refuses an authority that ends too soon: no certificate outlives it, so each would be renewed each time. */
function requireLongerThan(below: number, { certificate }: Authority, path: string): void {
  const days = Math.floor((Date.parse(certificate.validTo) - Date.now()) / dayMs);
  if (days > below) return;
  throw new CommandFailure(
    `${path} is valid until ${certificate.validTo}: expected more than the ${counted(below, 'day')} of --below. Make a new authority, and let clients trust it`,
  );
}

/** Asks before private keys are sent without encryption. */
async function confirmKeysOverHttp(
  due: readonly Target[],
  options: { readonly yes?: boolean },
): Promise<void> {
  const plain = due.filter(({ url }) => /^http:/i.test(url));
  if (plain.length === 0) return;
  const whose = plain.length === 1 ? 'the private key' : 'the private keys';
  await confirmLoss(
    `${whose} of ${labelList(plain)} would go over HTTP: whoever listens in that network can read it, and pretend to be the scanner. With https:// in the URL, it is encrypted`,
    'Send it?',
    options,
  );
}
