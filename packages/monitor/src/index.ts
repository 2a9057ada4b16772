/** @packageDocumentation @internal */

export { Archive, type ArchiveOptions } from './archive/archive.js';
export { ArchiveFolder, type ArchiveFolderOptions } from './archive/archive-folder.js';
export { ArchiveRepository, type ArchiveRepositoryOptions } from './archive/archive-repository.js';
export type {
  ArchivedFile,
  ArchivePlace,
  Fetched,
  ScannerToArchive,
  Stored,
} from './archive/archived-files.js';
export { type CommitAuthor, NoGit } from './archive/git.js';
export type { TimeOfDay } from './archive/nightly.js';
export { type MonitorClock, systemClock } from './clock.js';
export { conditionKinds } from './conditions/all-conditions.js';
export type { ConditionKind, Detected } from './conditions/condition-kind.js';
export { type DirtLimit, defaultLimits, dirtLimits, type Limits } from './conditions/limits.js';
export { History } from './history/history.js';
export { HistoryFolder } from './history/history-folder.js';
export { appendCommand } from './log/folder/commands-file.js';
export { damageText, FolderLog, type FolderLogOptions, usualRetention } from './log/folder/folder-log.js';
export { FolderReader, type LogDamage } from './log/folder/folder-reader.js';
export type { Author, CommandEntry, LogEntry, Severity } from './log/log-entry.js';
export { type LogCounts, type LogQuery, type LogStore, NotStored } from './log/log-store.js';
export { MemoryLog } from './log/memory-log.js';
export { Monitor, type MonitorOptions } from './monitor.js';
export { type EntryFilter, entryKinds, isEntryKind, passes } from './outputs/entry-filter.js';
export { type EntrySeverity, severities, severityOf } from './outputs/entry-severity.js';
export { entryLine, entryText } from './outputs/entry-text.js';
export { type CommandRights, type MqttCommand, mqttCommands } from './outputs/mqtt/mqtt-commands.js';
export type { Output, OutputCounts } from './outputs/output.js';
export type { OutputBasics } from './outputs/queued-output.js';
export { type SyslogFacility, syslogFacilities } from './outputs/syslog/syslog-message.js';
export { syslogOutput } from './outputs/syslog/syslog-output.js';
export { shortestSecret, webhookSecret } from './outputs/webhook/signature.js';
export { webhookOutput } from './outputs/webhook/webhook-output.js';
export { MonitorPort, type MonitorPortOptions } from './port/monitor-port.js';
export { ScanPorts } from './scans/scan-ports.js';
export { ScanReception } from './scans/scan-reception.js';
export { type MonitorSiteOptions, siteOfMonitor } from './site/site-of-monitor.js';
export type { SitePlace } from './site/site-row.js';
export { type LastParameters, type LastSeen, MemoryLastParameters } from './state/last-parameters.js';
export { LastParametersFolder } from './state/last-parameters-folder.js';
export type {
  ActiveCondition,
  ReceivedScans,
  ScannerSnapshot,
  WatchCounts,
} from './state/scanner-snapshot.js';
export type { ScanSource } from './watch/scan-source.js';
export type { ScannerToWatch } from './watch/watched-scanner.js';
