import type { Command } from 'commander';

/** What commander finds wrong with a command line, in one line. Nothing behind a `=` is repeated: it may be a secret. */
export function usageLine(text: string, command: Command): string {
  const line = text
    .trim()
    .replace(/^error: /, '')
    .replace(/^(unknown option '[^=]*=).*?'(?=$|\n\()/s, "$1…'")
    .replace(/\s*\((Did you mean .*\?)\)$/, (_, question: string) => `; ${question.replace('D', 'd')}`)
    .replaceAll(/\s*\n\s*/g, ' ');
  const flag = /^unknown option '(.*)'$/.exec(line)?.[1];
  const takesWords = command.registeredArguments.some(({ variadic }) => variadic);
  if (flag === undefined || !takesWords) return line;
  const [first = ''] = command.args;
  const name = first.startsWith('-') ? 'NAME' : first;
  return `${line}; a value that begins with a dash goes behind --: azimuth ${command.name()} ${name} -- ${flag}`;
}
