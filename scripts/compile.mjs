import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const inside = fileURLToPath(new URL('compile-inside.mjs', import.meta.url));

/**
 * Runs a program of the bundle in a process of its own, until it has printed a line. Then stores the code that V8 has
 * compiled in a file beside the program.
 * @param args its command line
 * @param meanwhile is called with the line before the code is stored, for example to send requests to the program
 */
export async function compile(file, args, meanwhile = () => undefined) {
  const env = Object.entries(process.env).filter(([name]) => !/^AZIMUTH_/i.test(name));
  const child = fork(inside, [file, ...args], { env: Object.fromEntries(env), execArgv: [], silent: true });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  const ended = once(child, 'close');
  try {
    const printed = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
    if (child.exitCode === null) {
      await meanwhile(String(printed[0]));
      child.send('store');
    }
    const [exitCode] = await ended;
    if (exitCode !== 0) throw new Error(`${args.join(' ')} ends with ${exitCode}: ${errors}`);
  } finally {
    child.kill();
  }
}
