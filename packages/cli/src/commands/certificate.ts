import { readFile } from 'node:fs/promises';
import { cybersecurity } from '@azimuth/model';
import { Command } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { scannerAt, scannerWithLogin } from '../connection.js';
import { formatValue, linesOf } from '../format-value.js';
import { type DeviceOptions, deviceOptions, withDeviceOptions, withExamples } from '../options.js';

export function certificateCommand(): Command {
  const command = new Command('certificate').description('show, set and remove the certificates of HTTPS');
  command.addCommand(showCommand()).addCommand(setCommand()).addCommand(removeCommand());
  return withExamples(
    command,
    'azimuth certificate show',
    'azimuth certificate set chain.pem key.pem',
    'azimuth certificate remove',
  );
}

function showCommand(): Command {
  const command = new Command('show')
    .description('show the certificates of HTTPS, and whether HTTPS is open')
    .action(async () => {
      await showCertificates(deviceOptions(command));
    });
  return withDeviceOptions(command);
}

function setCommand(): Command {
  const command = new Command('set')
    .description('set the certificates of HTTPS')
    .argument('<certificates>', 'a PEM file: leaf first, then the chain')
    .argument('<key>', 'a PEM file: the private key of the leaf')
    .action(async (certificates: string, key: string) => {
      await setCertificates(certificates, key, deviceOptions(command));
    });
  return withDeviceOptions(command);
}

function removeCommand(): Command {
  const command = new Command('remove')
    .description('remove the certificates; this closes HTTPS')
    .action(async () => {
      await removeCertificates(deviceOptions(command));
    });
  return withDeviceOptions(command);
}

const { httpsStatus, certificateBundleInfo, setCertificateBundle } = cybersecurity.members;

/** Prints which certificates HTTPS uses, and whether it is up. */
async function showCertificates(options: DeviceOptions): Promise<void> {
  const shown = await scannerAt(options).certificates();
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify(shown)}\n`);
    return;
  }
  const lines = linesOf([
    ['https', formatValue(httpsStatus.type.shape, shown.https)],
    ['bundle', formatValue(certificateBundleInfo.type.shape, shown.bundle)],
  ]);
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Gives HTTPS its certificates. Their length is checked before anything is sent. */
async function setCertificates(
  certificatesFile: string,
  keyFile: string,
  options: DeviceOptions,
): Promise<void> {
  const bundle = { certificates: await pemIn(certificatesFile), privateKey: await pemIn(keyFile) };
  setCertificateBundle.request.fromJson(
    { contentCertificateBundle: bundle.certificates, contentPrivateKey: bundle.privateKey },
    setCertificateBundle.name,
  );
  const scanner = await scannerWithLogin(options);
  await scanner.setCertificates(bundle);
}

async function removeCertificates(options: DeviceOptions): Promise<void> {
  const scanner = await scannerWithLogin(options);
  await scanner.removeCertificates();
}

async function pemIn(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new CommandFailure(`${path} cannot be read: ${error.message}`);
  });
  if (!text.includes('-----BEGIN ')) throw new CommandFailure(`${path} is not a PEM file`);
  return text;
}
