import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { ensureKeyFile, ensurePostgres, postgresFolder, stopPostgres } from '@portreeve/testbed/postgres.ts';
import { flag, readCommand } from './command.ts';
import { installCommitHook } from './commit-hook.ts';
import { ensureProducts } from './generate/products.ts';

/** Installs the packages that the project needs, makes the OpenAPI document and the client, and starts the private PostgreSQL. Safe to run again. */

/** Each package, and a file that exists once it is installed. */
const packages: Readonly<Record<string, string>> = {
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  freeradius: '/usr/sbin/freeradius',
  'freeradius-rest': '/usr/lib/freeradius/rlm_rest.so',
  eapoltest: '/usr/bin/eapol_test',
  'freeradius-utils': '/usr/bin/radclient',
  'libxml2-utils': '/usr/bin/xmllint',
  openssl: '/usr/bin/openssl',
  squid: '/usr/sbin/squid',
  prometheus: '/usr/bin/prometheus',
  snmp: '/usr/bin/snmpbulkwalk',
  snmpd: '/usr/sbin/snmpd',
  snmpsim: '/usr/bin/snmpsimd',
  fping: '/usr/bin/fping',
  nmap: '/usr/bin/nmap',
  'ieee-data': '/usr/share/ieee-data/oui.csv',
  'openssh-client': '/usr/bin/ssh',
  chromium: '/usr/bin/chromium',
  'fonts-inter': '/usr/share/fonts/opentype/inter/Inter-Regular.otf',
  'fonts-jetbrains-mono': '/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf',
  'freeradius-postgresql': '/usr/lib/freeradius/rlm_sql_postgresql.so',
  radsecproxy: '/usr/sbin/radsecproxy',
  hostapd: '/usr/sbin/hostapd',
  wpasupplicant: '/usr/sbin/wpa_supplicant',
  tcpdump: '/usr/bin/tcpdump',
  iproute2: '/usr/sbin/ip',
  'iputils-ping': '/usr/bin/ping',
  slapd: '/usr/sbin/slapd',
  'ldap-utils': '/usr/bin/ldapsearch',
  samba: '/usr/bin/samba-tool',
  'samba-ad-dc': '/usr/sbin/samba',
  'samba-ad-provision': '/usr/share/samba/setup/provision.ldif',
  'samba-dsdb-modules': '/usr/lib/x86_64-linux-gnu/samba/ldb/samldb.so',
  winbind: '/usr/sbin/winbindd',
  postfix: '/usr/sbin/postfix',
  'python3-paramiko': '/usr/lib/python3/dist-packages/paramiko/__init__.py',
};

const { values } = readCommand({
  usage: 'npm run setup',
  doc: 'Installs the packages that are missing, makes the OpenAPI document and the typed client, and starts the private PostgreSQL of this checkout. Safe to run again.',
  options: {
    stop: flag('stop that PostgreSQL instead'),
    remove: flag('stop it and remove all its data'),
  },
});
const folder = postgresFolder(process.cwd());

if (values.remove) {
  await stopPostgres(folder);
  await removeSoon(folder);
  console.log('The private PostgreSQL is stopped, and its data is being removed.');
} else if (values.stop) {
  await stopPostgres(folder);
  console.log('The private PostgreSQL is stopped.');
} else {
  installMissing();
  const noHook = installCommitHook(process.cwd());
  if (noHook) console.log(`Commit messages are not checked: ${noHook}.`);
  await ensureProducts();
  const started = performance.now();
  const postgres = await ensurePostgres(folder);
  await ensureKeyFile(folder);
  console.log(`PostgreSQL 15 answers on 127.0.0.1:${postgres.port} (${Math.round(performance.now() - started)} ms).`);
}

/** Removes hundreds of thousands of files in the background. */
async function removeSoon(path: string): Promise<void> {
  const renamedPath = `${path}.gone-${process.pid}`;
  await rename(path, renamedPath);
  spawn('rm', ['-rf', renamedPath], { detached: true, stdio: 'ignore' }).unref();
}

function installMissing(): void {
  const missing = Object.keys(packages).filter((name) => !existsSync(packages[name]!));
  if (missing.length === 0) return;
  console.log(`Installing ${missing.join(', ')} …`);
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const environment = {
    ...process.env,
    DEBIAN_FRONTEND: 'noninteractive',
    // The packaged services are not started: the project starts its own, on other ports.
    RUNLEVEL: '1',
  };
  for (const command of [
    ['apt-get', 'update', '-qq'],
    ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', '-o', 'Dpkg::Options::=--force-confold', ...missing],
  ]) {
    const [program, ...args] = [...sudo, ...command] as [string, ...string[]];
    const done = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env: environment });
    if (done.status !== 0) throw new Error(`${command.join(' ')} failed with code ${done.status}`);
  }
}
