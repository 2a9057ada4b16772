import { readFile } from 'node:fs/promises';
import { cybersecurity } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { scannerAt, scannerWithLogin } from '../connection.js';
import { linesOf, naturalForm } from '../natural-form.js';
import type { DeviceOptions } from '../options.js';

const { httpsStatus, certificateBundleInfo, setCertificateBundle } = cybersecurity.members;

/** Prints which certificates HTTPS uses, and whether it is up. */
export async function showCertificates(options: DeviceOptions): Promise<void> {
  const shown = await scannerAt(options).certificates();
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify(shown)}\n`);
    return;
  }
  const lines = linesOf([
    ['https', naturalForm(httpsStatus.type.shape, shown.https)],
    ['bundle', naturalForm(certificateBundleInfo.type.shape, shown.bundle)],
  ]);
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Gives HTTPS its certificates. Their length is checked before anything is sent. */
export async function setCertificates(
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

export async function removeCertificates(options: DeviceOptions): Promise<void> {
  const scanner = await scannerWithLogin(options);
  await scanner.removeCertificates();
}

async function pemIn(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new CommandFailure(`${path} cannot be read: ${error.message}`);
  });
  if (!text.includes('-----BEGIN ')) throw new CommandFailure(`${path} is no PEM file`);
  return text;
}
