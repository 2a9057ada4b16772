import { cybersecurity } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';
import { Command, type DeviceOptions } from '../options/command.js';
import { scannerAt, scannerWithLogin } from '../scanners/connection.js';
import { confirmCall, eachScanner, withScanners } from '../scanners/each-scanner.js';
import { fileNameFor } from '../scanners/file-per-scanner.js';
import type { Target } from '../scanners/target.js';
import { formattedLines, formatValue } from '../values/format-value.js';

export function defineCommand(command: Command): Command {
  command.description('Show, set and remove the certificates of HTTPS.');
  command.addCommand(showCommand()).addCommand(setCommand()).addCommand(removeCommand());
  return command.withExamples(
    'azimuth certificate show',
    'azimuth certificate set chain.pem key.pem',
    'azimuth certificate remove',
  );
}

function showCommand(): Command {
  const command = new Command('show')
    .summary('show the certificates')
    .description('Show the certificates of HTTPS, and whether the HTTPS port is open.')
    .action(() => showCertificates(command.allOptions()));
  return command
    .withDeviceOptions()
    .withExamples('azimuth certificate show', 'azimuth certificate show --device http://192.168.0.1 --json');
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
    .action((certificates: string, key: string) => setCertificates(certificates, key, command.allOptions()));
  return command
    .withDeviceOptions()
    .withExamples(
      'azimuth certificate set chain.pem key.pem',
      'azimuth certificate set @hall/* certificates/{scanner}.pem keys/{scanner}.pem',
    );
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

/** Prints the certificates and the state of HTTPS. */
async function showCertificates(options: DeviceOptions): Promise<void> {
  await eachScanner(options, async (target, output) => {
    const certificates = await scannerAt(target).certificates();
    await output.print(certificates, () =>
      formattedLines([
        ['https', formatValue(httpsStatus.type.shape, certificates.https)],
        ['bundle', formatValue(certificateBundleInfo.type.shape, certificates.bundle)],
      ]),
    );
  });
}

/** Sets the certificates of HTTPS. Files are read, and their length is checked, before anything is sent. */
async function setCertificates(
  certificatesFile: string,
  keyFile: string,
  options: DeviceOptions,
): Promise<void> {
  await withScanners(options, async (scanners) => {
    const { targets } = scanners;
    const bundles = new Map<Target, Bundle>();
    for (const target of targets) {
      const [chain, key] = [fileNameFor(certificatesFile, target), fileNameFor(keyFile, target)];
      bundles.set(target, await bundleIn(chain, key));
    }
    await scanners.each(async (target, output) => {
      const bundle = bundles.get(target);
      if (bundle === undefined) throw new RangeError(`no certificates for ${target.label}`);
      const scanner = await scannerWithLogin(target);
      await scanner.setCertificates(bundle);
      output.done('HTTPS has the certificates');
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
