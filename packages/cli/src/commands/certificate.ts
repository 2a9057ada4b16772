import { Command } from 'commander';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';

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
    .description('tell which certificates HTTPS uses, and whether it is up')
    .action(async () => {
      const { showCertificates } = await import('../actions/certificate.js');
      await showCertificates(deviceOptions(command));
    });
  return withDeviceOptions(command);
}

function setCommand(): Command {
  const command = new Command('set')
    .description('give HTTPS its certificates')
    .argument('<certificates>', 'a PEM file: leaf first, then the chain')
    .argument('<key>', 'a PEM file: the private key of the leaf')
    .action(async (certificates: string, key: string) => {
      const { setCertificates } = await import('../actions/certificate.js');
      await setCertificates(certificates, key, deviceOptions(command));
    });
  return withDeviceOptions(command);
}

function removeCommand(): Command {
  const command = new Command('remove')
    .description('take the certificates away, which ends HTTPS')
    .action(async () => {
      const { removeCertificates } = await import('../actions/certificate.js');
      await removeCertificates(deviceOptions(command));
    });
  return withDeviceOptions(command);
}
