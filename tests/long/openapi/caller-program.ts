/**
 * A program that somebody writes against a generated client, without anything of ours: reads, fetches a challenge,
 * computes its response, writes, and reads back. It prints what it saw as JSON.
 */
export const callerProgram = `
import { createHash } from 'node:crypto';
import {
  callGetChallenge,
  callWriteEeprom,
  readCertificateBundleInfo,
  readDeviceIdent,
  readEtherAddressingMode,
  readEtherIpAddress,
  readHealth,
  readLocationName,
  readScanDataEthSettings,
  readStoredSet,
  writeLocationName,
  writeScanDataEthSettings,
  type RequestHeader,
  type ScanDataEthSettings,
} from './client/index.js';
import { client } from './client/client.gen.js';

const [, , baseUrl = ''] = process.argv;
client.setConfig({ baseUrl, throwOnError: true });

const sha256 = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

async function login(endpoint: string): Promise<RequestHeader> {
  const { data: answer } = await callGetChallenge({ body: { data: { user: 'Service' } } });
  if (answer?.challenge === undefined) throw new Error('no challenge');
  const { realm, nonce, opaque, salt } = answer.challenge;
  const hash1 = sha256(\`Service:\${realm}:servicelevel:\`, Uint8Array.from(salt));
  const response = sha256(\`\${hash1}:\${nonce}:\${sha256(\`POST:\${endpoint}\`)}\`);
  return { user: 'Service', realm, nonce, opaque, response };
}

async function writeName(name: string, header: RequestHeader) {
  const { data } = await writeLocationName({ body: { header, data: { LocationName: name } } });
  return data?.header;
}

const ident = (await readDeviceIdent()).data?.data;
const mode: 0 | 1 | undefined = (await readEtherAddressingMode()).data?.data?.EtherAddressingMode;
const address: number[] | undefined = (await readEtherIpAddress()).data?.data?.EtherIPAddress;
const bundle = (await readCertificateBundleInfo()).data?.data;
const before = (await readLocationName()).data?.data?.LocationName;

const refused = await writeName('Gate 3', { ...(await login('LocationName')), response: sha256('wrong') });
const done = await writeName('Gate 3', await login('LocationName'));
const after = (await readLocationName()).data?.data?.LocationName;

const destination: ScanDataEthSettings = { Protocol: 2, IPAddress: [10, 0, 0, 7], Port: 2200 };
await writeScanDataEthSettings({
  body: { header: await login('ScanDataEthSettings'), data: { ScanDataEthSettings: destination } },
});
const stream = (await readScanDataEthSettings()).data?.data;

const saved = (await callWriteEeprom({ body: { header: await login('WriteEeprom') } })).data?.data?.Success;
const stored = (await readStoredSet()).data?.data?.LocationName;
const health = (await readHealth()).data?.status;

console.log(JSON.stringify({
  name: [ident?.Name, ident?.DeviceIdent.Name],
  mode,
  address,
  certificates: bundle?.certificateBundleInfo.certificates.map(({ issuer }) => issuer),
  before,
  refused,
  done,
  after,
  stream,
  saved,
  stored,
  health,
}));
`;
