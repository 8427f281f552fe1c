import { operations } from 'virtual:shell-operations';
import { Client, type OperationInfo, PortreeveError } from '@portreeve/sdk/runtime.ts';

/** A page of the menu. */
interface MenuPage {
  page: string;
  label: string;
}

export type Theme = 'system' | 'light' | 'dark';

interface Navigation {
  landingPage: string | null;
  menu: (MenuPage & { children: MenuPage[] })[];
  theme: Theme;
  pageSize: number;
}

/** A signed-in user with clients that use the user's session. */
export interface Session {
  userID: string;
  client: Client;
  /** For requests that the page sends without user input: they do not keep the session alive. */
  unattended: Client;
  navigation: Navigation;
  /** Single-key shortcuts are enabled. */
  singleKeys: boolean;
  /** Permissions such as `hosts.modify`, each with whether it is granted. */
  rights: Readonly<Record<string, boolean>>;
}

/** The page's own origin: the client requires an absolute URL. */
const url = location.origin;

/** The client without a session. It never retries, so that a rejected sign-in is sent only once. */
const bare = new Client({ url, retriesMax: 0 });

export const isSignedOut = (error: unknown): boolean => error instanceof PortreeveError && error.httpCode === 401;

/** Restores the session of the cookie, for example after a reload; undefined if there is none. */
export async function resumeSession(): Promise<Session | undefined> {
  try {
    const { results } = await bare.one<string>(operations['session.security-key']);
    return await openSession(results[0]);
  } catch (error) {
    if (isSignedOut(error)) return undefined;
    throw error;
  }
}

interface SignedIn {
  securityKey: string;
  mustChangePassword: boolean;
}

/** Signs in. The session cookie is HttpOnly, so scripts cannot read it. */
export async function signIn(userID: string, password: string): Promise<SignedIn> {
  const { results } = await bare.one<SignedIn>(operations['session.login'], { body: { userID, password } });
  return results[0];
}

/** Creates the clients of a session. Each session has its own, because the key of one must not be sent in another. */
export async function openSession(securityKey: string): Promise<Session> {
  const client = clientOf(securityKey);
  const unattended = clientOf(securityKey, { 'x-unattended': '1' });
  const [sessions, navigation, rights, singleKeys] = await Promise.all([
    client.call<{ owner: string; current: boolean }>(operations['session.list']),
    client.one<Navigation>(operations['session.navigation-settings']),
    client.one<Record<string, boolean>>(operations['session.feature-visibility']),
    client.call<{ value: unknown }>(operations['session.attribute'], { path: { name: singleKeysName } }),
  ]);
  const currentSession = sessions.results.find(({ current }) => current);
  return {
    userID: currentSession?.owner ?? '',
    client,
    unattended,
    navigation: navigation.results[0],
    rights: rights.results[0],
    singleKeys: singleKeys.results[0]?.value !== false,
  };
}

/** Returns whether the user may call an operation; the console does not offer others. */
export const may = ({ rights }: Pick<Session, 'rights'>, { permission }: OperationInfo): boolean => {
  if (!permission) return true;
  const { key, verb } = permission;
  // `save` creates or updates, so either right is sufficient.
  const verbs = verb === 'save' ? ['add', 'modify'] : [verb];
  return verbs.some((candidate) => rights[`${key}.${candidate}`]);
};

export async function changePassword(securityKey: string, currentPassword: string, newPassword: string): Promise<void> {
  await clientOf(securityKey).call(operations['session.password'], { body: { currentPassword, newPassword } });
}

export async function signOut({ client }: Session): Promise<void> {
  await client.call(operations['session.logout']);
}

/** Name of the user attribute for single-key shortcuts. */
export const singleKeysName = 'single-keys';

/** Stores a user attribute in the background; errors are ignored. */
export function saveAttribute({ client }: Session, name: string, value: unknown): void {
  client.call(operations['session.save-attribute'], { path: { name }, body: { value } }).catch(() => undefined);
}

/** Returns the seconds until the session ends by inactivity. */
export const secondsLeft = (session: Session): Promise<number> => timeoutBy(session.unattended);

/** Extends the session and returns the seconds until it ends. */
export async function extendSession({ client, unattended }: Session): Promise<number> {
  await client.call(operations['session.navigation-settings']);
  return timeoutBy(unattended);
}

async function timeoutBy(client: Client): Promise<number> {
  const { results } = await client.one<{ timeout: number }>(operations['session.timeout']);
  return results[0].timeout;
}

const clientOf = (securityKey: string, extraHeaders: Readonly<Record<string, string>> = {}): Client =>
  new Client({ url, headers: { 'x-security-key': securityKey, ...extraHeaders } });
