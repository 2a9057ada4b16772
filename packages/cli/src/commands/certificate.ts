import type { Certificates } from '@azimuth/client';
import { certificateValidity, cybersecurity } from '@azimuth/model';
import { Option } from 'commander';
import { CommandFailure, exitCodes } from '../command-failure.js';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';
import { Command, type DeviceOptions, type RolloutOptions } from '../options/command.js';
import { collect, wholeNumberOption } from '../options/option-values.js';
import { print } from '../output/output.js';
import { tableLines } from '../output/table.js';
import { fileDigest } from '../rollout/digest.js';
import { withRollout } from '../rollout/with-rollout.js';
import { scannerAt, scannerWithLogin } from '../scanners/connection.js';
import { confirmCall, withScanners } from '../scanners/each-scanner.js';
import { fileNameFor } from '../scanners/file-per-scanner.js';
import type { Target } from '../scanners/target.js';
import { TargetOutput } from '../scanners/target-output.js';
import { formattedLines, formatValue } from '../values/format-value.js';

export function defineCommand(command: Command): Command {
  command.description(
    'Show, set, renew and remove the certificates of HTTPS, and make an authority that issues them.',
  );
  command.addCommand(showCommand()).addCommand(setCommand()).addCommand(renewCommand());
  command.addCommand(authorityCommand()).addCommand(removeCommand());
  return command.withExamples(
    'azimuth certificate show',
    'azimuth certificate set chain.pem key.pem',
    'azimuth certificate renew @hall/* --ca-key ca/ca.key --ca-cert ca/ca.pem',
    'azimuth certificate remove',
  );
}

function showCommand(): Command {
  const command = new Command('show')
    .summary('show the certificates')
    .description(
      'Show the certificates of HTTPS, and whether the HTTPS port is open. Several scanners are shown in a table, the one that ends first above. With --below, the exit code is 5 if a certificate has fewer days left.',
    )
    .addOption(
      new Option('--below <days>', 'exit code 5 if a certificate is valid for fewer days').argParser(
        wholeNumberOption(0, 10_000),
      ),
    )
    .action(() => showCertificates(command.allOptions()));
  return command
    .withDeviceOptions()
    .withExamples(
      'azimuth certificate show',
      'azimuth certificate show --device http://192.168.0.1 --json',
      'azimuth certificate show @* --below 30',
    );
}

function setCommand(): Command {
  const command = new Command('set')
    .summary('set the certificates, and open HTTPS')
    .description(
      'Set the certificates of HTTPS. This opens the HTTPS port. In the names of the files, {scanner} stands for the name of the scanner, and {date} for the day.',
    )
    .argument(
      '<certificates>',
      "PEM file: the scanner's certificate, followed by the certificates of its issuers",
    )
    .argument('<key>', "PEM file: the private key of the scanner's certificate")
    .action((certificates: string, key: string) =>
      setCertificates(certificates, key, command.allOptions(), command.words),
    );
  return command
    .withDeviceOptions()
    .withRollout()
    .withExamples(
      'azimuth certificate set chain.pem key.pem',
      'azimuth certificate set @hall/* certificates/{scanner}.pem keys/{scanner}.pem',
    );
}

function renewCommand(): Command {
  const command = new Command('renew')
    .summary('renew the certificates that end soon')
    .description(
      'Renew the certificates that are valid for fewer days than --below, and give one to scanners that have none. An authority of your own issues them with new keys, for the host in the URL of the scanner and its addresses; or they come from a folder in which another program renews NAME.pem and NAME.key. A TLS handshake proves each of them. A scanner has a certificate at any moment.',
    )
    .option('--ca-key <file>', 'PEM file: the private key of the authority')
    .option('--ca-cert <file>', 'PEM file: its certificate; with --from, what clients trust')
    .option('--from <folder>', 'take NAME.pem and NAME.key from this folder; in NAME, - stands for /')
    .addOption(
      new Option('--below <days>', 'renew what is valid for fewer days (default: 30)').argParser(
        wholeNumberOption(0, 10_000),
      ),
    )
    .option('--all', 'renew all')
    .addOption(
      new Option('--days <days>', 'validity of a new certificate (default: 397)').argParser(
        wholeNumberOption(1, 3650),
      ),
    )
    .option(
      '--name <name>',
      'a further host name or address; {scanner} stands for its name; repeatable',
      collect,
    )
    .addOption(
      new Option(
        '--https-port <port>',
        'the port of HTTPS (default: 443, or https-port in the devices file)',
      ).argParser(wholeNumberOption(1, 65_535)),
    )
    .action(async () => {
      const { renewCertificates } = await import('../certificates/renew.js');
      await renewCertificates(command.allOptions(), command.words);
    });
  return command
    .withDeviceOptions()
    .withRollout()
    .withYes()
    .withExamples(
      'azimuth certificate renew @hall/* --ca-key ca/ca.key --ca-cert ca/ca.pem',
      'azimuth certificate renew @* --from /etc/lego/certificates --below 20 --rolling 1',
    );
}

function authorityCommand(): Command {
  const command = new Command('authority')
    .summary('make an authority that issues certificates; needs no scanner')
    .description(
      'Make an authority for the certificates of your scanners: ca.key, which only you may read, and ca.pem, which clients trust. An authority is never replaced.',
    )
    .argument('<folder>', 'folder for the two files')
    .option('--name <name>', 'its name', 'Azimuth authority')
    .addOption(new Option('--years <years>', 'its validity').argParser(wholeNumberOption(1, 30)).default(10))
    .option('--json', 'print JSON')
    .action(async (folder: string) => {
      const { name, years, json } = command.allOptions<{ name: string; years: number; json?: boolean }>();
      const { makeAuthority } = await import('../certificates/authority.js');
      const files = await makeAuthority(folder, name, years);
      await new TargetOutput({ json }).print(files, () => [files.key, files.certificate]);
    });
  return command.withExamples('azimuth certificate authority ca');
}

function removeCommand(): Command {
  const command = new Command('remove')
    .summary('remove the certificates, and close HTTPS')
    .description(
      'Remove the certificates of HTTPS. This closes the HTTPS port. It asks first: no scanner gives its private key back.',
    )
    .action(() => removeCertificates(command.allOptions()));
  return command
    .withDeviceOptions()
    .withYes()
    .withExamples('azimuth certificate remove', 'azimuth certificate remove --yes');
}

const { httpsStatus, certificateBundleInfo, setCertificateBundle, removeCertificateBundle } =
  cybersecurity.members;

interface ShowOptions extends DeviceOptions {
  readonly below?: number;
}

/** Prints the certificates and the state of HTTPS. */
async function showCertificates(options: ShowOptions): Promise<void> {
  await withScanners(options, async (scanners) => {
    const isTable = scanners.several && options.json !== true;
    const shown = await scanners.each(async (target, output) => {
      const certificates = await scannerAt(target).certificates();
      const [leaf] = certificates.bundle.certificates;
      const validity = leaf && certificateValidity(leaf, Date.now());
      const days = validity === undefined ? undefined : 'days' in validity ? validity.days : -1;
      if (!isTable) {
        await output.print({ ...certificates, days }, () =>
          formattedLines([
            ['https', formatValue(httpsStatus.type.shape, certificates.https)],
            ['bundle', formatValue(certificateBundleInfo.type.shape, certificates.bundle)],
            ...(days === undefined ? [] : [['days', String(days)] as const]),
          ]),
        );
      }
      return { certificates, days };
    });
    if (isTable) await print(`${certificateTable(shown).join('\n')}\n`);
    const { below } = options;
    const isBelow = [...shown.values()].some(
      ({ days }) => below !== undefined && days !== undefined && days < below,
    );
    if (isBelow) process.exitCode = exitCodes.differs.code;
  });
}

/** Returns the lines of a table: what ends first is above, what has no certificate below. */
function certificateTable(
  shown: ReadonlyMap<Target, { readonly certificates: Certificates; readonly days: number | undefined }>,
): readonly string[] {
  const rows = [...shown].toSorted(
    ([, one], [, other]) =>
      (one.days ?? Number.POSITIVE_INFINITY) - (other.days ?? Number.POSITIVE_INFINITY) || 0,
  );
  return tableLines([
    ['SCANNER', 'HTTPS', 'DAYS', 'UNTIL', 'SUBJECT'],
    ...rows.map(([{ label }, { certificates, days }]) => {
      const [leaf] = certificates.bundle.certificates;
      const until = leaf === undefined ? Number.NaN : Date.parse(leaf.validNotAfter);
      return [
        label,
        certificates.https.enabled ? 'open' : 'closed',
        days === undefined ? '-' : days < 0 ? 'expired' : String(days),
        Number.isNaN(until) ? '-' : new Date(until).toISOString().slice(0, 10),
        leaf?.subject.replaceAll('\n', ', ') ?? '-',
      ];
    }),
  ]);
}

/** Sets the certificates of HTTPS. Files are read, and their length is checked, before anything is sent. */
async function setCertificates(
  certificatesFile: string,
  keyFile: string,
  options: RolloutOptions,
  words: readonly string[],
): Promise<void> {
  // The names of the files of several scanners tell enough.
  const isOne = fileNameFor(certificatesFile, { label: '' }) === certificatesFile;
  const facts = { certificates: isOne ? await fileDigest(certificatesFile) : certificatesFile };
  await withRollout(options, { command: 'certificate set', words, facts }, async (scanners) => {
    const { targets } = scanners;
    const bundles = new Map<Target, Bundle>();
    for (const target of targets) {
      const [chain, key] = [fileNameFor(certificatesFile, target), fileNameFor(keyFile, target)];
      bundles.set(target, await bundleIn(chain, key));
    }
    await scanners.change({
      isInForce: async (target) => {
        const { certificateOf, certificatesIn } = await import('../certificates/authority.js');
        const { presented } = await import('../certificates/handshake.js');
        const { httpsPlaceOf } = await import('../certificates/renewal.js');
        const [pem = ''] = certificatesIn(bundles.get(target)?.certificates ?? '');
        const shown = await presented(httpsPlaceOf(target));
        return shown?.certificate.fingerprint256 === certificateOf(pem, certificatesFile).fingerprint256;
      },
      act: async (target, output) => {
        const bundle = bundles.get(target);
        if (bundle === undefined) throw new RangeError(`no certificates for ${target.label}`);
        const scanner = await scannerWithLogin(target);
        await scanner.setCertificates(bundle);
        output.done('HTTPS has the certificates');
      },
    });
  });
}

interface Bundle {
  readonly certificates: string;
  readonly privateKey: string;
}

/** @throws CommandFailure, Refusal for files that no scanner accepts */
async function bundleIn(certificatesFile: string, keyFile: string): Promise<Bundle> {
  const bundle = { certificates: await pemIn(certificatesFile), privateKey: await pemIn(keyFile) };
  setCertificateBundle.request.fromJson(
    { contentCertificateBundle: bundle.certificates, contentPrivateKey: bundle.privateKey },
    setCertificateBundle.name,
  );
  return bundle;
}

async function removeCertificates(options: DeviceOptions & { readonly yes?: boolean }): Promise<void> {
  await withScanners(options, async (scanners) => {
    await confirmCall(removeCertificateBundle, scanners, options);
    await scanners.each(async (target, output) => {
      const scanner = await scannerWithLogin(target);
      await scanner.removeCertificates();
      output.done('the certificates are removed, and HTTPS is closed');
    });
  });
}

async function pemIn(path: string): Promise<string> {
  const text = await readTextFile(path, { limit: maxFileBytes.pem });
  if (!text.includes('-----BEGIN ')) throw new CommandFailure(`${path} is not a PEM file`);
  return text;
}
