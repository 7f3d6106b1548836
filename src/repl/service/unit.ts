import { createHash } from 'node:crypto';
import { basename } from 'node:path';

/** What the service manager of a system is told about `wooster serve` of one home. */
export interface ServiceFacts {
  /** Unique among the homes of this user: `wooster`, or `wooster-NAME-1a2b3c`. */
  readonly name: string;
  readonly home: string;
  /** The launcher, which starts our own Node. */
  readonly launcher: string;
  /** A file with variables, of mode 600. */
  readonly environment: string;
  /** Where launchd writes what the program says; systemd has its journal. */
  readonly output: string;
}

/** The exit codes of usage and of what only a person can put right would end the same way again. */
const NO_RESTART = '2';

/**
 * A unit for the user's own systemd.
 *
 * @see https://www.freedesktop.org/software/systemd/man/latest/systemd.service.html
 */
export function systemdUnit({ home, launcher, environment }: ServiceFacts): string {
  return `[Unit]
Description=Wooster, serving ${inUnit(home)}
Documentation=file:${inUnit(launcher.replace(/bin\/wooster$/u, 'docs/service.md').replaceAll(' ', '%20'))}
After=network-online.target
StartLimitIntervalSec=300
StartLimitBurst=10

[Service]
Type=notify
NotifyAccess=all
ExecStart=/bin/sh ${quoted(launcher)} serve --home ${quoted(home)}
EnvironmentFile=-${inUnit(environment)}
Restart=always
RestartSec=5
RestartPreventExitStatus=${NO_RESTART}
SuccessExitStatus=143
WatchdogSec=90
KillMode=mixed
TimeoutStopSec=20
UMask=0077

[Install]
WantedBy=default.target
`;
}

/** A file of variables for systemd. @see https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html */
export function systemdEnvironment(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}="${value.replace(/[\\"$`]/gu, '\\$&')}"\n`)
    .join('');
}

/**
 * A launch agent for macOS. Its variables are in it, so it has to have mode 600 as well.
 *
 * @see https://keith.github.io/xcode-man-pages/launchd.plist.5.html
 */
export function launchdPlist(facts: ServiceFacts, variables: Readonly<Record<string, string>>): string {
  const { name, home, launcher, output } = facts;
  const strings = (values: readonly string[]) =>
    values.map((value) => `    <string>${inXml(value)}</string>\n`).join('');
  const pairs = Object.entries(variables)
    .map(([key, value]) => `    <key>${inXml(key)}</key>\n    <string>${inXml(value)}</string>\n`)
    .join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${inXml(labelOf(name))}</string>
  <key>ProgramArguments</key>
  <array>
${strings(['/bin/sh', launcher, 'serve', '--home', home])}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${pairs}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>20</integer>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardOutPath</key>
  <string>${inXml(output)}</string>
  <key>StandardErrorPath</key>
  <string>${inXml(output)}</string>
</dict>
</plist>
`;
}

/** The name of the service in launchd. */
export function labelOf(name: string): string {
  return `wooster.${name}`;
}

/** @param usual  the home that is used when none is named. */
export function serviceName(home: string, usual: string): string {
  if (home === usual) return 'wooster';
  const mark = createHash('sha256').update(home).digest('hex').slice(0, 6);
  const readable = basename(home)
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-|-$/gu, '');
  return ['wooster', readable, mark].filter(Boolean).join('-');
}

/** `%` begins a specifier of systemd, and a line ends a setting. */
function inUnit(text: string): string {
  return text.replaceAll('%', '%%').replace(/[\n\r]/gu, ' ');
}

/** An argument of `ExecStart`; a lone `$` would begin a variable. */
function quoted(text: string): string {
  return `"${inUnit(text).replace(/[\\"]/gu, '\\$&').replaceAll('$', '$$$$')}"`;
}

function inXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
