import { group, method, variable } from '../declaration.js';
import { levels } from '../envelope.js';
import { array } from '../types/array.js';
import { boolean, enumeration, levelName } from '../types/enumeration.js';
import { integer } from '../types/integer.js';
import { string } from '../types/string.js';
import { struct } from '../types/struct.js';

/** An MD5 checksum in 32 hex digits. */
const checksum = () => string({ maxLength: 32 });

export const PasswordResult = {
  SUCCESS: 0,
  NOT_ACCEPTED: 2,
  PWD_NOT_CHANGABLE: 4,
  TIMELOCK_ACTIVE: 5,
} as const;
export const LevelResult = { SUCCESS: 0, NOT_ACCEPTED: 2 } as const;

export const general = group('General', {
  getChallenge: method({
    level: 'open',
    request: { user: levelName() },
    response: {
      realm: string({ maxLength: 64 }),
      nonce: string({ maxLength: 64 }),
      opaque: string({ maxLength: 64 }),
      salt: array(integer('uint8'), { maxItems: 16 }),
    },
    secrets: ['nonce', 'opaque', 'salt'],
    responseMember: 'challenge',
    text: 'Returns a challenge. With it, one POST can log in at this user level.',
  }),
  checkCredentials: method({
    level: 'login',
    text: 'Checks the login in the header of the request. It has no other effect.',
  }),
  changePassword: method({
    level: 'open',
    since: '1.5.0',
    request: {
      encryptedMessage: array(integer('uint8'), { maxItems: 96 }),
      userLevel: levelName(),
    },
    secrets: ['encryptedMessage'],
    response: { result: enumeration(PasswordResult, 0) },
    done: { result: 0 },
    text: 'Changes the REST password of an enabled user level. The message is encrypted with the old password.',
  }),
  SetPassword: method({
    level: 'login',
    since: '1.5.0',
    request: { siUserLevel: integer('int8', { names: levels }), udiNewPassword: integer('uint32') },
    secrets: ['udiNewPassword'],
    response: { bSuccess: boolean() },
    done: { bSuccess: true },
    text: 'Sets the hash of the password of a user level of the legacy protocol. Only that level or Service may do this.',
  }),
  EnableUserLevel: method({
    level: 'Service',
    since: '2.1.0',
    request: { userLevel: integer('uint8', { names: levels }), isEnabled: boolean() },
    response: { result: enumeration(LevelResult, 0) },
    done: { result: 0 },
    text: 'Enables or disables a user level of the REST interface. The change is stored at once.',
  }),
  EnableLegacyUserLevel: method({
    level: 'Service',
    since: '2.1.0',
    request: { userLevel: integer('uint8', { maximum: 7, names: levels }), isEnabled: boolean() },
    response: { result: boolean() },
    done: { result: true },
    text: 'Enables or disables a user level of the legacy protocol. The change is stored at once.',
  }),
  WriteEeprom: method({
    level: 'AuthorizedClient',
    response: { Success: boolean() },
    done: { Success: true },
    text: 'Stores the working parameters: they are kept after a reboot or a power cut.',
  }),
  SoftReset: method({
    level: 'AuthorizedClient',
    request: { ProcessorNbr: integer('uint16') },
    loses: 'all changes that are not stored',
    reboots: true,
    text: 'Reboots with the stored parameters. Changes that were not stored are lost.',
  }),
  RebootDevice: method({
    level: 'AuthorizedClient',
    reboots: true,
    text: 'Stores the working parameters, then reboots.',
  }),
  LoadFactoryDefaults: method({
    level: 'Service',
    loses:
      'the values of all parameters, stored ones too, all fields, all passwords, and which user levels are enabled',
    text: 'Resets all parameters, passwords, and which user levels are enabled. Certificates do not change.',
  }),
  LoadApplicationDefaults: method({
    level: 'AuthorizedClient',
    loses: 'all fields, evaluations and the values of their parameters, stored ones too',
    text: 'Resets fields, evaluations and their parameters. Interfaces and filters do not change.',
  }),
  LFTchecksum: variable(
    struct({
      MD5SumOK: boolean(),
      MD5LinuxRoot: checksum(),
      MD5App: checksum(),
      MD5Calibration: checksum(),
      MD5Parameters: checksum(),
    }),
    { since: '2.2.0', text: 'Checksums of the software, the calibration and the stored parameters.' },
  ),
  CreateSessionToken: method({
    level: 'Service',
    since: '2.3.1',
    response: { token: string({ maxLength: 36 }), timeToLive: integer('uint16') },
    secrets: ['token'],
    mayLack: ['timeToLive'],
    text: 'Creates a session token for file transfers. It is valid for `timeToLive` seconds.',
  }),
});
