import type { GroupInfo } from './group.ts';
import { operationOf, pathParameter } from './operations.ts';

/** How a record is read without a console; a group that has no operation for one is listed. */
export function curlFor(group: GroupInfo, id: string, origin: string): string {
  const fetch = operationOf(group, 'fetch');
  const path = fetch
    ? fetch.path.replace(`{${pathParameter(fetch)}}`, encodeURIComponent(id))
    : `${operationOf(group, 'list')!.path}?filter=${encodeURIComponent(`${group.identity}==${id}`)}`;
  return `curl -H "Authorization: Bearer $PORTREEVE_TOKEN" "${origin}${path}"`;
}
