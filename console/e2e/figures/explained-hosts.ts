import type { PolicyDecision } from '@portreeve/sdk/generated/api.ts';
import type { Figure } from './figure.ts';
import type { Watched } from './page-figures.ts';
import { expectedSteps, shownSteps } from './shown-steps.ts';

/** Calls the service that serves the page. */
export interface Call {
  get<Result>(path: string): Promise<Result[]>;
  /** Returns the identity of what was created. */
  create(path: string, body: object): Promise<number>;
}

const policyCount = 20;

/** Creates policies with different conditions, so that explanations have several steps. */
async function addPolicies(call: Call, nameOf: Watched['nameOf']): Promise<void> {
  const accessConfigurationID = await call.create('/api/v2/policy/access-configuration', {
    name: 'Explained',
    type: 'DIRECT',
    directConfiguration: { accessType: 'VLAN_ID', accessValue: '20' },
  });
  for (let n = 1; n <= policyCount; n++) {
    const conditions = [
      { attribute: 'host.hostName', op: 'LIKE', value: `*${nameOf(n).slice(-2)}` },
      { attribute: 'host.enabled', op: 'EQ', value: String(n % 2 === 0) },
    ];
    const criteria = { who: { attributes: [{ conditions }] } };
    await call.create('/api/v2/policy/access', { name: `Explained ${n}`, criteria, accessConfigurationID });
  }
}

/** Counts the explanations whose shown steps differ from the response of the service. */
export async function explainedHosts(
  { page, url, hosts, nameOf }: Watched,
  call: Call,
  count: number,
): Promise<Figure> {
  await addPolicies(call, nameOf);
  let differing = 0;
  let steps = 0;
  for (let n = 1; n <= count; n++) {
    const id = 1 + ((n * 7_919_317) % hosts);
    const [decision] = await call.get<PolicyDecision>(`/api/v2/host/${id}/policy`);
    await page.goto(`${url}/console/hosts?explain=${id}`);
    await page.getByRole('region', { name: 'Now' }).getByText(decision!.reason).waitFor();
    const expected = expectedSteps(decision!);
    steps += expected.length;
    if (JSON.stringify(await shownSteps(page, 1)) !== JSON.stringify(expected)) differing++;
  }
  const note = `${steps} steps compared`;
  return {
    name: `explanations of ${count} hosts that differ from the service`,
    value: differing,
    goal: 0,
    unit: 'hosts',
    note,
  };
}
