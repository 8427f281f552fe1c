import { groups } from 'virtual:groups';
import { useQuery } from '@tanstack/react-query';
import type { GroupInfo } from '../document/group.ts';

/** Returns the description of a resource from the OpenAPI document; its chunk is loaded on first use. */
export const infoOf = async (name: string): Promise<GroupInfo> =>
  (await groups.find((group) => group.name === name)!.load()).group;

export const useGroupInfo = (name: string) =>
  useQuery<GroupInfo>({
    queryKey: ['group', name],
    queryFn: () => infoOf(name),
    staleTime: Number.POSITIVE_INFINITY,
  });
