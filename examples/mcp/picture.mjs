// Gets a picture of a scan through MCP: node examples/mcp/picture.mjs FILE [DEVICE]
// It is a client of `azimuth mcp`, in place of an assistant. It asks you before anything is changed, as an assistant does.
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [file = 'scan.png', device = 'http://127.0.0.1:8080'] = process.argv.slice(2);
const client = new Client(
  { name: 'picture', version: '1.0.0' },
  { capabilities: { elicitation: { form: {} } } },
);

client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${params.message}\n\nRun it? [y/N] `);
  terminal.close();
  return { action: 'accept', content: { run: /^y(es)?$/i.test(answer.trim()) } };
});

// The password stays in the environment of `azimuth mcp`. The first passwords of virtual scanners are no secret.
const { AZIMUTH_PASSWORD = 'servicelevel' } = process.env;
await client.connect(
  new StdioClientTransport({
    command: 'npx',
    args: ['azimuth', 'mcp', '--device', device],
    env: { ...process.env, AZIMUTH_PASSWORD },
  }),
);

const doctor = await client.callTool({ name: 'doctor', arguments: {} });
const { findings } = JSON.parse(doctor.content[0].text);
for (const { severity, text, advice } of findings) console.log(`${severity}: ${text} – ${advice}`);

const picture = await client.callTool({ name: 'scan_aimed', arguments: { range: 10 } });
const [image] = picture.content;
if (image.type !== 'image') throw new Error(image.text);
writeFileSync(file, Buffer.from(image.data, 'base64'));
console.log(`${file}: ${image.mimeType}`);
await client.close();
