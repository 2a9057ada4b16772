/** The page of a diagnostic archive that says what is in it. */
export const readme = `Diagnostic archive of a scanner

status.json                 device status and why, lost documents, temperature, the device clock,
                            levels that can log in with the password from the factory
variables.json              every variable that can be read, by its name
parameters.json             the parameters: working, stored, factory
operating-data.json         power cycles and operating hours
network.json                the network settings in force, and the address that the scanner can be reached under
versions.json               who the scanner is, its release and variant, what it runs on
openapi.json                the description of exactly this release and variant
log.ndjson                  the last lines of the log (500 at most), one JSON object a line, the oldest first

The detection history is not in here: this version of the scanner does not record one yet.
Passwords, their hashes, session tokens, passphrases and private keys are in none of these files.
`;
