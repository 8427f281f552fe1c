/**
 * A field that decides where a stored secret is sent, or how it is protected on the way: a field of the record, or a property of an
 * object in it (`cliCredentials.hostKey`). A `pin` only restricts: setting one that was empty or false sends the secret nowhere new.
 */
export type BoundField = string | { readonly pin: string };

/** Where the service sends a stored secret. Every stored secret declares it, otherwise the service does not start. */
export type SecretBinding =
  /** The secret must be sent again by the request that changes one of these fields. */
  | { readonly boundTo: readonly BoundField[] }
  /** No field of the record changes where the secret goes, with the reason in one sentence. */
  | { readonly unbound: string };

/** The path of a bound field. */
export const pathOf = (bound: BoundField): string => (typeof bound === 'string' ? bound : bound.pin);

/** The paths that a secret is bound to. */
export const boundPathsOf = (binding: SecretBinding): readonly string[] =>
  'boundTo' in binding ? binding.boundTo.map(pathOf) : [];

/** Returns the sentence of the documentation about the fields that a secret is bound to. */
export function bindingDoc(binding: SecretBinding): string {
  const paths = boundPathsOf(binding);
  return paths.length === 0 ? '' : ` Required again when one of these changes: ${paths.join(', ')}.`;
}
