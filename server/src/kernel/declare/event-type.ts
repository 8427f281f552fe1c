/** Event types as data: an emitter names one of these, so an undeclared event does not compile. */

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

/** The element types of events; the index is the code. */
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

/** The definition of an event. `F` is its format as a literal type, from which the required values of an event follow. */
export interface EventType<F extends string = string> {
  name: string;
  displayName: string;
  description: string;
  category: EventCategory;
  /** Default element type of the events. */
  elementType: number;
  /** The readable text, with `{element}`, `{user}`, `{message}` and names of attributes in braces. */
  format: F;
  /** The default; administrators can change it. */
  loggingStrategy: LoggingStrategy;
  /** Name of the event that ends the condition this one reports. */
  clear: string | null;
  /** Always logged: administrators can neither disable it nor delete its events. */
  mandatory: boolean;
  /** The log writer may drop and count such events under overload. */
  droppable: boolean;
  /** Callers may create such events by POST. */
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

/** Filled in for every event, so emitters need not pass them. */
type FilledIn = 'element' | 'user' | 'message';

type RequiredAttributes<F extends string> = Exclude<Placeholders<F>, FilledIn>;

/** Something noteworthy that happens to an element. */
export type EventEntry<F extends string = string> = {
  type: EventType<F>;
  /** `type`: the element's code, if it differs from the one of the event type. */
  element: { id: number; name: string; type?: number };
  message?: string | undefined;
  hostID?: number;
  mac?: string;
  ip?: string | null;
  /** The user that the event concerns; by default the one that caused it. */
  userName?: string;
  location?: string;
} & ([RequiredAttributes<F>] extends [never]
  ? { attributes?: Readonly<Record<string, Scalar>> }
  : { attributes: Readonly<Record<RequiredAttributes<F>, Scalar>> & Readonly<Record<string, Scalar>> });

/** Widens an event to the general type; its attributes were checked when it was created. */
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

/** Returns the text of an event. Replaces in one pass, so braces inside values stay as they are. */
export const fillFormat = (format: string, values: Readonly<Record<string, Scalar | null | undefined>>): string =>
  format.replaceAll(/\{(\w+)\}/g, (_, name: string) => String((Object.hasOwn(values, name) ? values[name] : '') ?? ''));

/** Default category by the element's code. */
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

/** The events of a collection's changes. Settings are never created or deleted, so they have only `modified`. */
export interface ChangeEvents {
  created?: EventType;
  modified: EventType;
  deleted?: EventType;
}

/** Returns the event types that every collection has without declaring them. */
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
      description: single ? `The ${title} were ${verb}.` : `A ${title} record was ${verb}.`,
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
