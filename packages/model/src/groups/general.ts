import { group, method, variable } from '../declaration.js';
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
    answersIn: 'challenge',
    text: 'Hands out a challenge that one POST at the named user level can answer.',
  }),
  checkCredentials: method({
    level: 'login',
    text: 'Tells whether the credentials in the header are right, and does nothing else.',
  }),
  changePassword: method({
    level: 'open',
    since: '1.5.0',
    request: {
      encryptedMessage: array(integer('uint8'), { maxItems: 96 }),
      userLevel: levelName(),
    },
    response: { result: enumeration(PasswordResult, 0) },
    done: { result: 0 },
    text: 'Sets the REST password of an enabled user level; the encrypted message itself proves knowledge of the old one.',
  }),
  SetPassword: method({
    level: 'login',
    since: '1.5.0',
    request: { siUserLevel: integer('int8'), udiNewPassword: integer('uint32') },
    response: { bSuccess: boolean() },
    done: { bSuccess: true },
    text: 'Sets the password of a user level of the legacy protocol, given as its hash. Needs that level or Service.',
  }),
  EnableUserLevel: method({
    level: 'Service',
    since: '2.1.0',
    request: { userLevel: integer('uint8'), isEnabled: boolean() },
    response: { result: enumeration(LevelResult, 0) },
    done: { result: 0 },
    text: 'Switches a user level of the REST interface on or off; stored at once.',
  }),
  EnableLegacyUserLevel: method({
    level: 'Service',
    since: '2.1.0',
    request: { userLevel: integer('uint8', { maximum: 7 }), isEnabled: boolean() },
    response: { result: boolean() },
    done: { result: true },
    text: 'Switches a user level of the legacy protocol on or off; stored at once.',
  }),
  WriteEeprom: method({
    level: 'AuthorizedClient',
    response: { Success: boolean() },
    done: { Success: true },
    text: 'Stores the working parameters, so that they outlive a reboot and a power cut.',
  }),
  SoftReset: method({
    level: 'AuthorizedClient',
    request: { ProcessorNbr: integer('uint16') },
    text: 'Reboots with the stored parameters; what was not stored is lost.',
  }),
  RebootDevice: method({
    level: 'AuthorizedClient',
    text: 'Stores the working parameters and reboots.',
  }),
  LoadFactoryDefaults: method({
    level: 'Service',
    text: 'Puts every parameter and the user level switches at factory state; passwords and certificates stay.',
  }),
  LoadApplicationDefaults: method({
    level: 'AuthorizedClient',
    text: 'Puts fields, evaluations and their parameters at factory state; interfaces and filters stay.',
  }),
  LFTchecksum: variable(
    struct({
      MD5SumOK: boolean(),
      MD5LinuxRoot: checksum(),
      MD5App: checksum(),
      MD5Calibration: checksum(),
      MD5Parameters: checksum(),
    }),
    { since: '2.2.0', text: 'Checksums over the software, the calibration and the stored parameters.' },
  ),
  CreateSessionToken: method({
    level: 'Service',
    since: '2.3.1',
    response: { token: string({ maxLength: 36 }), timeToLive: integer('uint16') },
    text: 'Hands out a token for file transfers, and for how many seconds it is good.',
  }),
});
