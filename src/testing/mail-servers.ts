import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { freePort, startServer } from './server-process.ts';

/** What the SMTP server took: who it was for, and the text as it came. */
export interface TakenMail {
  readonly to: readonly string[];
  readonly text: string;
}

export interface MailServers {
  readonly imapPort: number;
  /** Where TLS begins with STARTTLS. */
  readonly plainImapPort: number;
  readonly smtpPort: number;
  /** A PEM file with the certificate of both. */
  readonly certificate: string;
  readonly taken: readonly TakenMail[];
  /** A mail reaches the mailbox, as if another server had brought it. @param at  when; now unless given. */
  deliver(text: string, at?: Date): void;
  stop(): Promise<void>;
}

/** Dovecot with one mailbox, and an SMTP server, both over TLS on `localhost` for one account. */
export async function startMailServers(account: { username: string; password: string }): Promise<MailServers> {
  const folder = mkdtempSync(join(tmpdir(), 'wooster-mail-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', [...request, '-keyout', key, '-out', certificate, ...names], { stdio: 'ignore' });
  const [imapPort, plainImapPort] = [await freePort(), await freePort()];
  const config = join(folder, 'dovecot.conf');
  writeFileSync(
    config,
    dovecotConfig({ folder, key, certificate, imapPort, plainImapPort, password: account.password }),
  );
  chmodSync(folder, 0o755);
  const imap = await startServer('dovecot', ['-F', '-c', config], imapPort);
  const taken: TakenMail[] = [];
  const smtp = smtpServer(account, { key: readFileSync(key), cert: readFileSync(certificate) }, taken);
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()));
  const { port: smtpPort } = smtp.server.address() as AddressInfo;
  return {
    ...{ imapPort, plainImapPort, smtpPort, certificate, taken },
    deliver: (text, at = new Date()) => deliver(join(folder, 'mail'), { text, at }),
    async stop() {
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
      await imap.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function dovecotConfig(parts: {
  folder: string;
  key: string;
  certificate: string;
  imapPort: number;
  plainImapPort: number;
  password: string;
}): string {
  const { folder, key, certificate, imapPort, plainImapPort, password } = parts;
  const { username, ...me } = userInfo();
  // It keeps no mail for root: that of nobody, then.
  const { uid, gid } = me.uid === 0 ? { uid: 65_534, gid: 65_534 } : me;
  const inside = (name: string) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };
  const own = (name: string) => {
    chownSync(inside(name), uid, gid);
    return join(folder, name);
  };
  // Dovecot wants other users for its unprivileged parts where it is started by root.
  const others = me.uid === 0 ? '' : `default_internal_user = ${username}\ndefault_login_user = ${username}`;
  return `protocols = imap
base_dir = ${inside('run')}
state_dir = ${inside('state')}
log_path = ${join(folder, 'log')}
${others}
ssl = required
ssl_cert = <${certificate}
ssl_key = <${key}
mail_location = maildir:${own('mail')}
first_valid_uid = ${uid}
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${own('home')}
}
service anvil {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${plainImapPort}
  }
  inet_listener imaps {
    port = ${imapPort}
    ssl = yes
  }
}
namespace inbox {
  inbox = yes
  mailbox Drafts {
    auto = create
    special_use = \\Drafts
  }
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
}
`;
}

function smtpServer(
  { username, password }: { username: string; password: string },
  tls: { key: Buffer; cert: Buffer },
  taken: TakenMail[],
): SMTPServer {
  return new SMTPServer({
    ...tls,
    onAuth: (auth, _session, done) => {
      const right = auth.username === username && auth.password === password;
      done(right ? null : new Error('Invalid login'), right ? { user: username } : undefined);
    },
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        taken.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(parts).toString(),
        });
        done(null);
      });
    },
  });
}

/**
 * As a delivery agent does: written beside the mailbox, then moved into it.
 *
 * @see https://doc.dovecot.org/2.3/admin_manual/mailbox_formats/maildir/
 */
function deliver(mailDir: string, { text, at }: { readonly text: string; readonly at: Date }): void {
  const name = `${Math.floor(at.getTime() / 1000)}.${randomUUID()}.localhost`;
  const [made, moved] = [join(mailDir, 'tmp', name), join(mailDir, 'new', name)];
  const { uid, gid } = statSync(mailDir);
  for (const name of ['cur', 'new', 'tmp']) {
    mkdirSync(join(mailDir, name), { recursive: true });
    chownSync(join(mailDir, name), uid, gid);
  }
  writeFileSync(made, text);
  chownSync(made, uid, gid);
  utimesSync(made, at, at);
  renameSync(made, moved);
}
