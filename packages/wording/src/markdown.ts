/** A Markdown table. Cells stay on one line, and bars in them are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** Blocks with an empty line between them. Empty blocks are left out. */
export function blocks(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Anchor of a heading: lower case, only letters, digits, hyphens and underscores. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

export function link(text: string, heading: string, page = ''): string {
  return `[${text}](${page}#${anchor(heading)})`;
}
