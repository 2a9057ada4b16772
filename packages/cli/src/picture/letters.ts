/**
 * Letters of five columns and seven rows for pictures: each letter as five columns of two hexadecimal digits, from the
 * left, the lowest bit on top. From the blank (32) to the tilde (126), then the degree sign and the middle dot.
 */
const columns = [
  '0000000000 00005f0000 0007000700 147f147f14 242a7f2a12 2313086462 3649562050 0000070000',
  '001c224100 0041221c00 2a1c7f1c2a 08083e0808 0050300000 0808080808 0060600000 2010080402',
  '3e5149453e 00427f4000 4261514946 2141454b31 1814127f10 2745454539 3c4a494930 0171090503',
  '3649494936 064949291e 0036360000 0056360000 0814224100 1414141414 0041221408 0201510906',
  '324979413e 7e1111117e 7f49494936 3e41414122 7f4141221c 7f49494941 7f09090901 3e4149497a',
  '7f0808087f 00417f4100 2040413f01 7f08142241 7f40404040 7f020c027f 7f0408107f 3e4141413e',
  '7f09090906 3e4151215e 7f09192946 4649494931 01017f0101 3f4040403f 1f2040201f 3f4038403f',
  '6314081463 0708700807 6151494543 007f414100 0204081020 0041417f00 0402010204 4040404040',
  '0001020400 2054545478 7f48444438 3844444420 384444487f 3854545418 087e090102 0c5252523e',
  '7f08040478 00447d4000 2040443d00 7f10284400 00417f4000 7c04180478 7c08040478 3844444438',
  '7c14141408 081414187c 7c08040408 4854545420 043f444020 3c4040207c 1c2040201c 3c4030403c',
  '4428102844 0c5050503c 4464544c44 0008364100 00007f0000 0041360800 0804081008 0006090906',
  '0000080000',
]
  .join(' ')
  .split(' ');

/** Letters that reach below the line, of nine rows: three digits a column. */
const below: Readonly<Record<string, string>> = {
  g: '0381441441440fc',
  j: '0000801000fd000',
  p: '1fc044044044038',
  q: '0380440440441fc',
  y: '03c1401401400fc',
};

const order = `${Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('')}°·`;

/** Which of the 5 × 9 pixels of a letter are black; an unknown character becomes a question mark. */
export function letter(character: string): (column: number, row: number) => boolean {
  const at = order.indexOf(character);
  const digits = below[character] ?? columns[at === -1 ? order.indexOf('?') : at] ?? '';
  const width = digits.length / 5;
  const bits = [0, 1, 2, 3, 4].map((i) => Number.parseInt(digits.slice(i * width, (i + 1) * width), 16));
  return (column, row) => (((bits[column] ?? 0) >> row) & 1) === 1;
}

/** Columns from one letter to the next, and how many of the rows are above the line that letters stand on. */
export const letterGrid = { columns: 5, advance: 6, rows: 9, above: 7 } as const;
