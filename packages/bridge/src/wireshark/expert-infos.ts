/** Something that is wrong with a telegram, or worth a note. */
export interface ExpertInfo {
  /** Group and severity of Wireshark. */
  readonly group: 'checksum' | 'malformed' | 'protocol' | 'response';
  readonly severity: 'error' | 'warn' | 'note';
  readonly text: string;
}

/** Expert infos: a filter finds each by `azimuth.` and its name. */
export const expertInfos = {
  wrong_checksum: { group: 'checksum', severity: 'error', text: 'CRC or XOR is wrong' },
  wrong_length: { group: 'malformed', severity: 'error', text: 'a length does not fit' },
  cut_off: { group: 'malformed', severity: 'error', text: 'the telegram is cut off' },
  bad_value: { group: 'malformed', severity: 'error', text: 'a value cannot be read' },
  unknown_version: { group: 'protocol', severity: 'warn', text: 'unknown version' },
  unknown_bytes: { group: 'protocol', severity: 'warn', text: 'bytes of no telegram' },
  out_of_range: { group: 'protocol', severity: 'warn', text: 'a value is outside of its range' },
  left_over: { group: 'protocol', severity: 'warn', text: 'bytes are left over' },
  unknown_name: { group: 'protocol', severity: 'note', text: 'unknown command or name' },
  refused: { group: 'response', severity: 'note', text: 'the scanner refused a request' },
} as const satisfies Readonly<Record<string, ExpertInfo>>;
