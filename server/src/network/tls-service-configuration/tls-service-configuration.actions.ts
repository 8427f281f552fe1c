import { action, idList } from '../../context.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { notFound, rejected } from '../../kernel/failure.ts';
import { instantSql } from '../../kernel/values/time.ts';
import { systemCiphers } from '../../protocols/tls/ciphers.ts';
import { tlsProtocols } from '../../protocols/tls/names.ts';
import { backgroundTask } from '../../system/background-task/background-task.ts';
import { certificateStateSql, certificateStates, targets } from '../certificate-target/certificate-target.ts';
import { deployTlsName } from './tls-service-configuration.jobs.ts';
import { apiTag, tlsServiceConfiguration } from './tls-service-configuration.ts';

const { text } = shapes;

const ciphers = action(tlsServiceConfiguration, {
  name: 'radius-ciphers',
  method: 'GET',
  path: '/radiusciphers',
  doc: 'List the ciphers that the RADIUS engine offers',
  transaction: false,
  result: {
    kind: 'object',
    name: 'TlsCipher',
    properties: {
      name: { ...text(60), doc: 'Its name in OpenSSL.' },
      protocol: { kind: 'choice', values: tlsProtocols, doc: 'The version that it is used with.' },
      keyExchange: { ...text(30), doc: 'How keys are agreed on.' },
      authentication: { ...text(30), doc: 'The kind of key that the server needs.' },
      encryption: { ...text(60), doc: 'How data is encrypted.' },
      recommended: { kind: 'flag', doc: 'The release recommends it.' },
    },
  } as const satisfies ObjectShape,
  run: async () => [...(await systemCiphers())],
});

const aliasesSql = `select r.name, r.target, ${certificateStateSql} as state, ${instantSql('r.not_after')} as "notAfter" from certificate_target r
where r.private_key is not null order by r.name`;

const aliases = action(tlsServiceConfiguration, {
  name: 'aliases',
  method: 'GET',
  path: '/aliases',
  doc: 'List the certificates with a key, which a configuration may name',
  result: {
    kind: 'object',
    name: 'CertificateAlias',
    properties: {
      name: { ...text(40), doc: 'Its name.' },
      target: { kind: 'choice', values: targets, doc: 'Where it is used.' },
      state: { kind: 'choice', values: certificateStates, doc: 'What there is.' },
      notAfter: { kind: 'time', nullable: true, doc: 'When it ends.' },
    },
  } as const satisfies ObjectShape,
  run: (_call, { query }) => query(aliasesSql, []),
});

interface Named {
  id: number;
  name: string;
  isServed: boolean;
}

const servedSql = `select t.id, t.name, t.tag = $1 or exists (select from server_configuration s where s.tls_config_id = t.id) as "isServed"
from tls_service_configuration t order by t.id`;

const deploy = action(tlsServiceConfiguration, {
  name: 'deploy',
  method: 'POST',
  path: '/deploy',
  doc: 'Have the listeners of all nodes use their configurations; if one cannot, all speak as before',
  body: {
    kind: 'object',
    name: 'TlsDeploy',
    properties: {
      id: {
        ...idList.properties.id,
        doc: 'Configurations to deploy. Absent: all that the API and RADIUS profiles use.',
      },
    },
  } as const satisfies ObjectShape,
  bodyOptional: true,
  success: 202,
  errors: ['not-found', 'rejected'],
  example: {},
  async run({ body }, context) {
    const all = await context.query<Named>(servedSql, [apiTag]);
    for (const id of body?.id ?? []) {
      const configuration = all.find((candidate) => candidate.id === id);
      if (!configuration) throw notFound(tlsServiceConfiguration.title, id);
      if (!configuration.isServed) throw rejected(`id: nothing listens by ${configuration.name}.`, '/id');
    }
    const ids = body?.id ?? all.filter(({ isServed }) => isServed).map(({ id }) => id);
    const taskID = await context.startTask({ name: deployTlsName }, { ids }, 'Deploy TLS service configurations');
    return { httpCode: 202, location: `/api/v2${backgroundTask.path}/${taskID}` };
  },
});

export const tlsServiceConfigurationActions = [ciphers, aliases, deploy];
