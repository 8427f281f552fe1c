import type { GroupInfo } from './group.ts';
import { operationOf, pathParameter } from './operations.ts';

/** Returns the curl command that reads a record; if the resource has no fetch operation, the list is filtered by the id. */
export function curlFor(group: GroupInfo, id: string, origin: string): string {
  const fetch = operationOf(group, 'fetch');
  const path = fetch
    ? fetch.path.replace(`{${pathParameter(fetch)}}`, encodeURIComponent(id))
    : `${operationOf(group, 'list')!.path}?filter=${encodeURIComponent(`${group.identity}==${id}`)}`;
  return `curl -H "Authorization: Bearer $PORTREEVE_TOKEN" "${origin}${path}"`;
}
