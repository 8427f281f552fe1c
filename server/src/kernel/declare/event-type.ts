/** What kinds of things happen, as data: an emitter names one of these, so an undeclared event does not compile. */

export const eventCategories = [
  'SYSTEM',
  'DEVICE',
  'PORT',
  'HOST',
  'USER',
  'ADMIN',
  'POLICY',
  'SECURITY',
  'LOGGING',
  'INTEGRATION',
  'EXTERNAL',
] as const;

export type EventCategory = (typeof eventCategories)[number];

/** What an event can happen to, by its code. */
export const elementTypes = [
  'system',
  'container',
  'device',
  'port',
  'host',
  'adapter',
  'user',
  'administrator',
  'group',
  'policy record',
  'integration',
  'process or job',
] as const;

export const loggingStrategies = ['DISABLED', 'INTERNAL', 'EXTERNAL', 'INTERNAL_AND_EXTERNAL'] as const;

export type LoggingStrategy = (typeof loggingStrategies)[number];

/** The definition of an event. `F` is its format, letter for letter: which values an event has to bring follows from it. */
export interface EventType<F extends string = string> {
  name: string;
  displayName: string;
  description: string;
  category: EventCategory;
  /** Code of what it usually happens to. */
  elementType: number;
  /** The readable text, with `{element}`, `{user}`, `{message}` and names of attributes in braces. */
  format: F;
  /** Before an administrator chooses otherwise. */
  loggingStrategy: LoggingStrategy;
  /** Name of the event that ends the condition this one reports. */
  clear: string | null;
  /** Always logged: no administrator can turn it off, nor delete one. */
  mandatory: boolean;
  /** May be dropped, counted, by the writer of bulk rows under pressure. */
  droppable: boolean;
  /** May be posted from outside. */
  postable: boolean;
  /** RFC 5424: 0 emergency … 7 debug. */
  syslogSeverity: number;
}

type Scalar = string | number | boolean;

type Placeholders<F extends string> = string extends F
  ? never
  : F extends `${string}{${infer Name}}${infer Rest}`
    ? Name | Placeholders<Rest>
    : never;

/** Filled in for every event, so nobody has to bring them. */
type Given = 'element' | 'user' | 'message';

type Wanted<F extends string> = Exclude<Placeholders<F>, Given>;

/** Something noteworthy that happens to an element. */
export type EventEntry<F extends string = string> = {
  type: EventType<F>;
  /** `type`: its code, where that is not the one the event type has. */
  element: { id: number; name: string; type?: number };
  message?: string | undefined;
  hostID?: number;
  mac?: string;
  ip?: string | null;
  /** Whom it concerns; who caused it, when absent. */
  userName?: string;
  location?: string;
} & ([Wanted<F>] extends [never]
  ? { attributes?: Readonly<Record<string, Scalar>> }
  : { attributes: Readonly<Record<Wanted<F>, Scalar>> & Readonly<Record<string, Scalar>> });

/** An event among others of other types: its attributes were checked where it was written. */
export const anyEvent = <F extends string>(entry: EventEntry<F>): EventEntry => entry as unknown as EventEntry;

/** Declares an event type. */
export function eventType<const F extends string>(
  declared: Pick<EventType<F>, 'name' | 'description' | 'category' | 'elementType' | 'format'> & Partial<EventType<F>>,
): EventType<F> {
  return {
    displayName: sentenceOf(declared.name),
    loggingStrategy: 'INTERNAL',
    clear: null,
    mandatory: false,
    droppable: false,
    postable: false,
    syslogSeverity: 6,
    ...declared,
  };
}

/** `ADMIN_LOGIN_FAILED` → `Admin login failed`. */
export const sentenceOf = (name: string): string => {
  const words = name.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The text of an event. One pass: braces that a value brings are left as they are. */
export const fillFormat = (format: string, values: Readonly<Record<string, Scalar | null | undefined>>): string =>
  format.replaceAll(/\{(\w+)\}/g, (_, name: string) => String((Object.hasOwn(values, name) ? values[name] : '') ?? ''));

/** By the code of the element, where a group does not say it. */
const categoryOf: readonly EventCategory[] = [
  'SYSTEM',
  'DEVICE',
  'DEVICE',
  'PORT',
  'HOST',
  'HOST',
  'USER',
  'ADMIN',
  'SYSTEM',
  'POLICY',
  'INTEGRATION',
  'SYSTEM',
];

/** The events of a collection's changes; settings are there from the start and for ever, so they have only the one. */
export interface ChangeEvents {
  created?: EventType;
  modified: EventType;
  deleted?: EventType;
}

/** Event types that every collection has without declaring them. */
export function changeEvents(declaration: {
  title: string;
  single?: boolean;
  events: { noun: string; destroyed: string; elementType: number };
}): ChangeEvents {
  const { title, single, events } = declaration;
  const reported = (suffix: string, verb: string) =>
    eventType({
      name: `${events.noun}_${suffix}`,
      displayName: `${title} ${verb}`,
      description: single ? `The ${title} were ${verb}.` : `A record of the group ${title} was ${verb}.`,
      category: categoryOf[events.elementType] ?? 'SYSTEM',
      elementType: events.elementType,
      format: single ? `${title} ${verb}.` : (`${title} {element} ${verb}.` as string),
      syslogSeverity: 5,
    });
  const modified = reported('MODIFIED', 'modified');
  return single
    ? { modified }
    : { created: reported('CREATED', 'created'), modified, deleted: reported(events.destroyed, 'deleted') };
}
