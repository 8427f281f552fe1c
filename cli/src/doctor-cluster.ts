import { X509Certificate } from 'node:crypto';
import type { Sql } from '@portreeve/server/kernel/database/connect.ts';
import type { Config } from '@portreeve/server/node/config.ts';
import { servedCertificate } from '@portreeve/server/protocols/x509/served-certificate.ts';
import { type Finding, notOk, ok } from './finding.ts';

interface OtherNode {
  node: string;
  address: string;
  port: number;
  certificate: string;
}

const othersSql = `select c.node, host(c.address) as address, c.port, c.certificate from cluster_address c where c.node <> $1 order by c.node`;

/** Checks whether the other nodes respond, to which this node's RADIUS engine sends requests while this node is down. */
export const otherNodes = ({ node }: Pick<Config, 'node'>) =>
  async function others(pool: Sql): Promise<Finding> {
    const { rows } = await pool.query<OtherNode>(othersSql, [node]);
    if (rows.length === 0) return ok('other nodes: none has a clusterAddress');
    const faults = (await Promise.all(rows.map(faultOf))).filter((fault) => fault !== undefined);
    return faults.length === 0
      ? ok(`other nodes that respond: ${rows.map((otherNode) => otherNode.node).join(', ')}`)
      : notOk(
          `other nodes: ${faults.join('; ')}`,
          'Start the node, or allow connections to the port of its clusterAddress.',
        );
  };

async function faultOf({ node, address, port, certificate }: OtherNode): Promise<string | undefined> {
  const place = `${node} at ${address} port ${port}`;
  try {
    const served = await servedCertificate(address, port);
    if (served?.fingerprint256 === new X509Certificate(certificate).fingerprint256) return undefined;
    return `${place} has another certificate`;
  } catch (error) {
    return `${place} does not respond (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`;
  }
}
