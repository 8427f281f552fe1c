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

/** Somebody who is signed in, and the client that calls in their name. */
export interface Session {
  userID: string;
  client: Client;
  /** For what the page asks by itself: it does not keep the session alive. */
  unattended: Client;
  navigation: Navigation;
  /** Keys of one character work. */
  singleKeys: boolean;
  /** Whether each right, such as `hosts.modify`, is given. */
  rights: Readonly<Record<string, boolean>>;
}

/** The page's own origin: the client needs a whole address. */
const url = location.origin;

/** Without a session. A refused sign-in is never repeated by itself. */
const bare = new Client({ url, retriesMax: 0 });

export const isSignedOut = (error: unknown): boolean => error instanceof PortreeveError && error.httpCode === 401;

/** The session of the cookie, as after a reload; nothing when there is none. */
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

/** Opens a session; the cookie stays in the browser, out of reach of any script. */
export async function signIn(userID: string, password: string): Promise<SignedIn> {
  const { results } = await bare.one<SignedIn>(operations['session.login'], { body: { userID, password } });
  return results[0];
}

/** A new client for each session: the key of one must not be sent in another. */
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

/** Whether somebody may call an operation; what is not allowed is not offered. */
export const may = ({ rights }: Pick<Session, 'rights'>, { permission }: OperationInfo): boolean => {
  if (!permission) return true;
  const { key, verb } = permission;
  // What saves adds a record, or changes one.
  const verbs = verb === 'save' ? ['add', 'modify'] : [verb];
  return verbs.some((candidate) => rights[`${key}.${candidate}`]);
};

export async function changePassword(securityKey: string, currentPassword: string, newPassword: string): Promise<void> {
  await clientOf(securityKey).call(operations['session.password'], { body: { currentPassword, newPassword } });
}

export async function signOut({ client }: Session): Promise<void> {
  await client.call(operations['session.logout']);
}

/** What the service calls the choice whether keys of one character work. */
export const singleKeysName = 'single-keys';

/** Keeps something for the user, on every device. Nobody waits for it. */
export function saveAttribute({ client }: Session, name: string, value: unknown): void {
  client.call(operations['session.save-attribute'], { path: { name }, body: { value } }).catch(() => undefined);
}

/** Seconds until the session ends if nobody uses it. */
export const secondsLeft = (session: Session): Promise<number> => timeoutBy(session.unattended);

/** Uses the session, and says how long it lasts now. */
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
