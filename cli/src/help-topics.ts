/** Pages of the help that belong to no single command. */
export const topics: Readonly<Record<string, { doc: string; text: string }>> = {
  filters: {
    doc: 'how --filter selects records',
    text: `A filter is RSQL. Put it in quotes: the shell interprets *, ; and ().

  --filter 'name==core-*'                    text; * matches anything, case is ignored
  --filter 'rank=ge=10;enabled==true'        ; is "and"
  --filter 'state==FAILED,state==CANCELLED'  , is "or"; parentheses group
  --filter 'state=in=(FAILED,CANCELLED)'     one of a list; =out= is none of it
  --filter 'ip==10.20.0.0/16'                an address in a network
  --filter 'mac==00:1A:2B:*'                 a MAC address in any notation, or its first bytes
  --filter 'dateCreated=ge=-24h'             a time: ISO, epoch milliseconds, now, -24h
  --filter 'note=isnull=true'                the field is empty
  --filter 'progress.percent<50'             a field inside an object
  --filter 'text==printer'                   substring of any searchable field

Operators: == != > >= < <= =in= =out= =isnull=. Several --filter must all match. Values with
spaces need quotes: 'message=="Replace the certificate"'.`,
  },
  environment: {
    doc: 'environment variables of this program',
    text: `  PORTREEVE_URL         URL of the service, such as https://nac.example.net
  PORTREEVE_TOKEN       an API token (prt_…)
  PORTREEVE_CONTEXT     name of a stored service, see portreeve context list
  NO_COLOR              no colours
  NODE_EXTRA_CA_CERTS   file with the certificate of a private certificate authority

On a node, for serve, migrate, doctor, admin create, token create USER and account unlock --on-node:

  PORTREEVE_CONFIG      the deployment file; the variables below override it
  PORTREEVE_DATABASE_URL, PORTREEVE_OWNER_URL, PORTREEVE_KEY_FILE, PORTREEVE_ARCHIVE_FOLDER, PORTREEVE_HOST,
  PORTREEVE_PORT, PORTREEVE_METRICS_PORT, PORTREEVE_TRACES_URL, PORTREEVE_LOG_LEVEL, PORTREEVE_PROBE_NETWORKS`,
  },
};
