import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { type Client, type HttpResponse, maintenance } from '@azimuth/test-support/client';
import { changePassword } from '@azimuth/test-support/password-change';

/** Everything that stores at once when it is called, by its name; each changes something. */
export const storingActs: Readonly<Record<string, (client: Client) => Promise<HttpResponse>>> = {
  WriteEeprom: (client) => client.call('WriteEeprom'),
  RebootDevice: (client) => client.call('RebootDevice'),
  LoadApplicationDefaults: (client) => client.call('LoadApplicationDefaults'),
  LoadFactoryDefaults: (client) => client.call('LoadFactoryDefaults'),
  EnableUserLevel: (client) => client.call('EnableUserLevel', { userLevel: 3, isEnabled: true }),
  EnableLegacyUserLevel: (client) => client.call('EnableLegacyUserLevel', { userLevel: 3, isEnabled: true }),
  SetWebserverEnabled: (client) => client.call('SetWebserverEnabled', { Enable: false }),
  setCertificateBundle: (client) => client.call('setCertificateBundle', { ...bundleOf([issue()]) }),
  removeCertificateBundle: (client) => client.call('removeCertificateBundle'),
  SetPassword: (client) => client.call('SetPassword', { siUserLevel: 2, udiNewPassword: 4711 }),
  changePassword: (client) => changePassword(client, maintenance, 'never in force'),
};
