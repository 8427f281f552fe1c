import type { Declaration } from '../declare/declaration.ts';
import { pascalCase, withArticle } from '../declare/names.ts';
import { Failure } from '../failure.ts';
import type { Steps } from '../values/loop-share.ts';
import { handbookRoot } from './handbook.ts';
import { type Html, html, prose } from './html.ts';
import {
  componentOf,
  type FieldRow,
  fieldRows,
  needOf,
  resolved,
  type Schema,
  type Schemas,
  typesWithin,
  wordsOf,
} from './reference-fields.ts';

interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
  /** The contract's name of a path parameter, if the document has another one. */
  'x-name'?: string;
}

type Format = 'application/json' | 'application/xml';

interface Content {
  schema: Schema;
  example?: unknown;
  examples?: Readonly<Record<string, { $ref?: string; value?: unknown }>>;
}

interface Response {
  $ref?: string;
  description: string;
  headers?: Readonly<Record<string, unknown>>;
  content: Readonly<Record<Format, Content>>;
}

/** An operation as the OpenAPI document has it, with its route. */
interface Documented {
  method: string;
  path: string;
  operationId: string;
  summary: string;
  description: string;
  tags: readonly [string];
  parameters: readonly Parameter[];
  requestBody?: { required: boolean; content: Readonly<Partial<Record<Format, Content>>> };
  responses: Readonly<Record<string, Response>>;
  'x-permission'?: { key: string; verb: string };
  'x-access'?: string;
}

interface ApiDocument {
  info: { title: string; version: string; description: string };
  tags: readonly { name: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, Omit<Documented, 'method' | 'path'>>>>>;
  components: {
    schemas: Schemas;
    parameters: Readonly<Record<string, Parameter>>;
    responses: Readonly<Record<string, Response>>;
    examples: Readonly<Record<string, { value: unknown }>>;
  };
}

/** What the document lacks about a group: the meaning of its records, and who sets their fields. */
export interface DescribedGroup {
  group: string;
  declaration: Declaration;
}

const json = 'application/json';
const xml = 'application/xml';
const root = '/docs';

const slugOf = (group: string): string =>
  group
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

const lastStep = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** Returns a path and its parameters with the names that the contract gives them. */
function inSpellingOfContract(path: string, parameters: readonly Parameter[]): Pick<Documented, 'path' | 'parameters'> {
  const renamed = parameters.filter((parameter) => parameter['x-name'] !== undefined);
  return {
    path: renamed.reduce((text, { name, 'x-name': spelling }) => text.replace(`{${name}}`, `{${spelling}}`), path),
    parameters: parameters.map((parameter) => ({ ...parameter, name: parameter['x-name'] ?? parameter.name })),
  };
}

/** The pages that show the OpenAPI document to people: an index, and one page a group. */
export class Reference {
  readonly #document: ApiDocument;
  readonly #groups: ReadonlyMap<string, readonly Documented[]>;
  readonly #declarations: ReadonlyMap<string, readonly Declaration[]>;
  readonly #meanings: ReadonlyMap<string, string>;

  constructor(document: object, groups: readonly DescribedGroup[], meanings: Readonly<Record<string, string>>) {
    this.#document = document as ApiDocument;
    const operations = Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const parameters = this.#parametersOf(operation);
        return { ...operation, method: method.toUpperCase(), ...inSpellingOfContract(path, parameters) };
      }),
    );
    this.#groups = Map.groupBy(operations, ({ tags }) => tags[0]);
    const described = Map.groupBy(groups, ({ group }) => group);
    this.#declarations = new Map([...described].map(([name, each]) => [name, each.map((one) => one.declaration)]));
    this.#meanings = new Map(Object.entries(meanings));
  }

  index(): string {
    const { info } = this.#document;
    const [first = '', ...rest] = info.description.split('\n\n');
    return page(
      `${info.title} API`,
      html`
<header>
  <p class="crumbs">Reference</p>
  <h1>${info.title} API <small>${info.version}</small></h1>
  <p class="lead">${prose(first)}</p>
  ${documents}
</header>
<div class="columns">
<nav aria-label="Groups"><details class="menu" open><summary>Groups</summary><ul>${[...this.#groups.keys()].map(
        (name) => html`<li><a href="#${slugOf(name)}">${name}</a></li>`,
      )}</ul></details></nav>
<main id="main">
  <p class="filter" hidden><label for="filter">Find an operation</label>
    <input id="filter" type="search" autocomplete="off" spellcheck="false" placeholder="path, field, text or right, such as vlan">
    <output for="filter" aria-live="polite"></output></p>
  ${[...this.#groups].map(([name, operations]) => this.#indexed(name, operations))}
  <section id="conventions"><h2>Conventions</h2>
    ${rest.map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
    <p>In the tables of fields, <em>required</em> means: on create. A <em>kept</em> field is set by the service together with <code>version</code>; send it back as it was read, or leave it out. A <em>computed</em> one may be sent back too, and is dropped. A <em>write-only</em> field is a secret: absent or null keeps it.</p>
    <p>Every answer has an <code>X-Request-Id</code>, which names it in the log of the service.</p>
    <p>The examples take the address of the service and a token from the shell: <code>export PORTREEVE_URL=https://nac.example PORTREEVE_TOKEN=prt_…</code></p>
  </section>
  ${this.#statusWords()}
</main></div>`,
    );
  }

  /** The page of a group, a step an operation. */
  *group(slug: string): Steps<string> {
    const names = [...this.#groups.keys()];
    const at = names.findIndex((name) => slugOf(name) === slug);
    const name = names[at];
    if (name === undefined)
      throw new Failure(
        'not-found',
        `There is no group ${slug.slice(0, 80)} in the reference; see ${root} for all groups.`,
      );
    const operations = this.#groups.get(name)!;
    const records = this.#recordsOf(name);
    const types = this.#types(operations, records);
    const nouns = new Set(operations.map(({ operationId }) => operationId.split('.', 1)[0]));
    const sections: Html[] = [];
    for (const operation of operations) {
      sections.push(this.#operation(operation, records));
      yield;
    }
    const around = (step: -1 | 1, rel: string, arrow: (text: string) => string) => {
      const near = names[at + step];
      return near !== undefined && html`<a rel="${rel}" href="${root}/${slugOf(near)}">${arrow(near)}</a>`;
    };
    return page(
      `${name} – ${this.#document.info.title} API`,
      html`
<header>
  <p class="crumbs"><a href="${root}">Reference</a> / ${name} · <a href="${handbookRoot}">Handbook</a></p>
  <h1>${name}</h1>
  ${records.map(({ doc }) => html`<p class="lead">${prose(doc)}</p>`)}
</header>
<div class="columns">
<nav aria-label="Operations of ${name}"><details class="menu" open><summary>${operations.length} operations</summary><ul>${records.map(
        (each) => html`<li><a href="#${recordId(each)}">Fields of ${withArticle(each.title)}</a></li>`,
      )}${operations.map(
        ({ method, operationId }) =>
          html`<li><a href="#${operationId}">${badge(method)} ${nouns.size > 1 ? operationId : operationId.slice(operationId.indexOf('.') + 1)}</a></li>`,
      )}</ul></details></nav>
<main id="main">
  ${records.map((each) => this.#record(each))}
  ${sections}
  ${types.map(
    (name) => html`<section id="${typeId(name)}"><h2>Type ${name}</h2>
${this.#table(fieldRows({ $ref: name }, this.#schemas))}</section>`,
  )}
  <footer class="around">${around(-1, 'prev', (text) => `← ${text}`)} ${around(1, 'next', (text) => `${text} →`)}</footer>
</main></div>`,
    );
  }

  /**
   * What the search of the index looks at besides its own lines: names and texts of fields and parameters. `texts` are lines of
   * `name: text`, each once; `places` are operations and tables of fields, by the address of their line in the index.
   */
  *search(): Steps<string> {
    const texts: string[] = [];
    const known = new Map<string, number>();
    const indexOf = (text: string): number => {
      const at = known.get(text) ?? texts.push(text) - 1;
      known.set(text, at);
      return at;
    };
    const places: Record<string, number[]> = {};
    for (const [name, operations] of this.#groups) {
      const page = `${root}/${slugOf(name)}`;
      for (const operation of operations)
        places[`${page}#${operation.operationId}`] = this.#fieldLines(operation).map(indexOf);
      for (const record of this.#recordsOf(name)) {
        const rows = fieldRows({ $ref: pascalCase(record.name) }, this.#schemas);
        places[`${page}#${recordId(record)}`] = rows.map(lineOf).map(indexOf);
      }
      yield;
    }
    return JSON.stringify({ texts, places });
  }

  /** What an operation takes: parameters that are its own, and fields of its body. */
  #fieldLines(operation: Documented): string[] {
    const own = this.#parametersOf(operation).filter(({ in: where }) => where !== 'header');
    const schema = operation.requestBody?.content[json]?.schema;
    const rows = schema ? fieldRows(schema, this.#schemas) : [];
    return [...own.map(({ name, description = '' }) => `${name}: ${description}`), ...rows.map(lineOf)];
  }

  #parametersOf({ parameters }: Pick<Documented, 'parameters'>): Parameter[] {
    return parameters.map((each) =>
      each.$ref === undefined ? each : this.#document.components.parameters[lastStep(each.$ref)]!,
    );
  }

  /** The records of a group that have a table of fields. */
  #recordsOf(name: string): Declaration[] {
    return (this.#declarations.get(name) ?? []).filter((each) => this.#schemas[pascalCase(each.name)]);
  }

  get #schemas(): Schemas {
    return this.#document.components.schemas;
  }

  #indexed(name: string, operations: readonly Documented[]): Html {
    const slug = slugOf(name);
    const keys = new Set(operations.flatMap((operation) => operation['x-permission']?.key ?? []));
    return html`
<section class="group" id="${slug}"><h2><a href="${root}/${slug}">${name}</a> <small>${[...keys].join(', ')}</small></h2><ul>${operations.map(
      ({ method, path, operationId, summary }) =>
        html`<li><a href="${root}/${slug}#${operationId}">${badge(method)} <code>${path.replace(/^\/api\/v2/, '')}</code></a> ${prose(summary)}</li>\n`,
    )}${this.#recordsOf(name).map(
      (record) =>
        html`<li class="fields-of" hidden><a href="${root}/${slug}#${recordId(record)}">Fields of ${withArticle(record.title)}</a></li>\n`,
    )}</ul></section>`;
  }

  #statusWords(): Html {
    const codes = new Map<string, Set<string>>();
    for (const key of Object.keys(this.#document.components.responses)) {
      const [code, ...words] = key.split('.') as [string, ...string[]];
      for (const word of words) codes.set(word, (codes.get(word) ?? new Set()).add(code));
    }
    const rows = [...this.#meanings].map(
      ([word, meaning]) => html`
<tr id="status-${word}"><th scope="row"><code>${word}</code></th><td>${[...(codes.get(word) ?? [])].sort().join(', ')}</td><td>${prose(meaning)}</td></tr>`,
    );
    return html`<section id="status"><h2>Status words</h2>
<p>Every answer says how it went in <code>status</code>: <code>success</code>, or one of these words, with a sentence in <code>errorMessage</code>.</p>
<div class="wide"><table class="words"><thead><tr><th scope="col">Word</th><th scope="col">HTTP</th><th scope="col">When</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
  }

  #record(declaration: Declaration): Html {
    const name = pascalCase(declaration.name);
    const shown = fieldRows({ $ref: `#/components/schemas/${name}` }, this.#schemas);
    const known = new Set(shown.map(({ path }) => path));
    const input = this.#schemas[`${name}Input`];
    // Secrets stand in what is sent alone.
    const secrets = input
      ? fieldRows(input, this.#schemas).filter(
          ({ path }) => !known.has(path) && declaration.fields[path]?.access === 'secret',
        )
      : [];
    return html`<section id="${recordId(declaration)}"><h2>Fields of ${withArticle(declaration.title)} <small>${name}</small></h2>
${this.#table([...shown, ...secrets], declaration)}</section>`;
  }

  #table(rows: readonly FieldRow[], declaration?: Declaration): Html {
    if (rows.length === 0) return html`<p>No fields.</p>`;
    return html`<div class="wide"><table class="fields"><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Bounds</th><th scope="col">Need</th><th scope="col">About</th></tr></thead><tbody>${rows.map(
      (row) => {
        const field = declaration?.fields[row.path];
        const need = field ? needOf(field) : row.isRequired && !declaration ? 'required' : '';
        const target = field?.reference && this.#pageOf(field.reference.to);
        const names = target && html` <a href="${target.href}">Names ${withArticle(target.title)}.</a>`;
        return html`
<tr${row.path.includes('.') && html` class="inner"`}><th scope="row"><code>${breakable(row.path)}</code></th><td>${this.#type(row)}</td><td>${prose(row.bounds)}</td><td>${prose(need)}</td><td>${prose(row.doc)}${names}</td></tr>`;
      },
    )}</tbody></table></div>`;
  }

  #type({ type, component }: FieldRow): Html {
    if (component === undefined) return prose(type);
    const [before = '', after = ''] = type.split(component);
    return html`${before}<a href="#${typeId(component)}">${breakable(component)}</a>${after}`;
  }

  /** The named types that stand inside records, bodies and answers: each once. */
  #types(operations: readonly Documented[], records: readonly Declaration[]): string[] {
    const roots = operations.flatMap(({ requestBody, responses }) => [
      ...(requestBody?.content[json] ? [requestBody.content[json].schema] : []),
      ...Object.entries(responses).flatMap(([code, { content }]) =>
        code.startsWith('2') ? this.#itemOf(content) : [],
      ),
    ]);
    const shown = records.map(({ name }) => this.#schemas[pascalCase(name)]!);
    return [...typesWithin([...roots, ...shown], this.#schemas)].sort();
  }

  /** The schema of the elements of `results`. */
  #itemOf(content: Response['content']): Schema[] {
    const { schema } = content[json];
    const variants = (schema.oneOf ?? [schema]).map((each) => resolved(each, this.#schemas).schema);
    return variants.flatMap((each) => each.properties?.results?.items ?? []);
  }

  /** The page of the group that a reference points to, once it is served. */
  #pageOf(declared: string): { href: string; title: string } | undefined {
    for (const [group, declarations] of this.#declarations) {
      const found = declarations.find(({ name }) => name === declared);
      if (found && this.#groups.has(group)) return { href: `${root}/${slugOf(group)}`, title: found.title };
    }
    return undefined;
  }

  #operation(operation: Documented, records: readonly Declaration[]): Html {
    const { operationId, method, path, summary, description, requestBody } = operation;
    const parameters = this.#parametersOf(operation);
    return html`
<section class="operation" id="${operationId}">
  <h2>${prose(summary)} <a class="anchor" href="#${operationId}" aria-label="Link to ${operationId}">#</a></h2>
  <p class="route">${badge(method)} <code>${breakable(path)}</code></p>
  <p class="access"><span class="right">${prose(description)}</span> <span class="id"><code>${operationId}</code> <a href="/api/v2/schema.xsd?operation=${encodeURIComponent(operationId)}">XML schema</a></span></p>
  ${parameters.length > 0 && html`<h3>Parameters</h3>${this.#parameters(parameters)}`}
  ${requestBody && this.#body(requestBody, records)}
  <h3>Example</h3>
  ${tabs(`request-${operationId}`, curl(operation, parameters, json), curl(operation, parameters, xml))}
  ${tryForm(operation, parameters)}
  ${this.#answer(operation, records)}
  <h3>Refusals</h3>
  <p class="chips">${this.#refusals(operation)}</p>
</section>`;
  }

  #parameters(parameters: readonly Parameter[]): Html {
    return html`<div class="wide"><table class="fields"><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Bounds</th><th scope="col">Where</th><th scope="col">About</th></tr></thead><tbody>${parameters.map(
      (parameter) => {
        const { type, bounds } = wordsOf(parameter.schema, this.#schemas);
        return html`
<tr><th scope="row"><code>${parameter.name}</code></th><td>${type}</td><td>${prose(bounds)}</td><td>${parameter.in}${parameter.required && ', required'}</td><td>${prose(parameter.description ?? '')}</td></tr>`;
      },
    )}</tbody></table></div>`;
  }

  #body({ required, content }: NonNullable<Documented['requestBody']>, records: readonly Declaration[]): Html {
    if (!content[json]) return html`<h3>Body</h3><p>A file, as ${Object.keys(content).join(' or ')}.</p>`;
    const { schema } = content[json];
    const record = records.find(({ name }) => componentOf(schema) === `${pascalCase(name)}Input`);
    const rows = fieldRows(schema, this.#schemas);
    const written = record ? rows.filter(({ path }) => isWritten(record, path)) : rows;
    const table =
      rows.length > 0 ? this.#table(written, record) : html`<p>${describe(wordsOf(schema, this.#schemas))}</p>`;
    return html`<h3>Body${!required && ' (may be left out)'}</h3>
${
  record
    ? html`<details class="more"><summary>${written.filter(({ path }) => !path.includes('.')).length} fields that can be written</summary>${table}</details>
<p>A record may be sent back as it was read: see <a href="#${recordId(record)}">all its fields</a>.</p>`
    : table
}`;
  }

  #answer(operation: Documented, records: readonly Declaration[]): Html {
    const successes = Object.entries(operation.responses).filter(([code]) => code.startsWith('2'));
    const [code, main] = successes.at(-1)!;
    const headers = Object.keys(main.headers ?? {}).filter((name) => name !== 'X-Request-Id');
    return html`<h3>Answer</h3>
<p>${successes.map(([each, { description }]) => html`<strong>${each}</strong> ${prose(description)} `)}${headers.length > 0 && html`Headers with ${code}: ${headers.map((name, index) => html`${index > 0 && ', '}<code>${name}</code>`)}.`}</p>
${this.#results(main, records)}
${tabs(`answer-${operation.operationId}`, pretty(this.#example(main, json)), indented(this.#example(main, xml)))}`;
  }

  #results({ content }: Response, records: readonly Declaration[]): Html | undefined {
    const [item] = this.#itemOf(content);
    if (!item) return undefined;
    const record = records.find(({ name }) => componentOf(item) === pascalCase(name));
    if (record)
      return html`<p>Each of <code>results</code> is <a href="#${recordId(record)}">${withArticle(record.title)}</a>.</p>`;
    const rows = fieldRows(item, this.#schemas).map((row) => ({ ...row, isRequired: false }));
    if (rows.length === 0) return html`<p>Each of <code>results</code>: ${describe(wordsOf(item, this.#schemas))}</p>`;
    return html`<details class="more"><summary>${rows.length} fields of each of <code>results</code></summary>${this.#table(rows)}</details>`;
  }

  #example({ content }: Response, format: Format): unknown {
    const [example] = Object.values(content[format].examples ?? {});
    return example?.$ref === undefined
      ? example?.value
      : this.#document.components.examples[lastStep(example.$ref)]!.value;
  }

  #refusals({ responses }: Documented): Html[] {
    return Object.entries(responses).flatMap(([code, { $ref = '' }]) => {
      const words = code.startsWith('2') ? [] : lastStep($ref).split('.').slice(1);
      return words.map(
        (word) =>
          html`<a href="${root}#status-${word}" title="${this.#meanings.get(word) ?? ''}">${code} <code>${word}</code></a> `,
      );
    });
  }
}

const isWritten = (declaration: Declaration, path: string): boolean => {
  const access = declaration.fields[path.split(/[.[{]/, 1)[0]!]?.access;
  return access === 'write' || access === 'secret';
};

const typeId = (component: string): string => `type-${component}`;
const recordId = (declaration: Declaration): string => `record-${declaration.name}`;
const badge = (method: string): Html => html`<b class="${method.toLowerCase()}">${method}</b>`;
const describe = ({ type, bounds }: Pick<FieldRow, 'type' | 'bounds'>): Html =>
  prose(bounds ? `${type}, ${bounds}.` : `${type}.`);

/** Long names may break at their joints, so that a phone shows them whole. */
const breakable = (path: string): Html =>
  html`${path.split(/(?=[/.[{])|(?<=[a-z])(?=[A-Z])/).map((part, index) => html`${index > 0 && html`<wbr>`}${part}`)}`;

const lineOf = ({ path, doc }: FieldRow): string => `${path}: ${doc}`;

const documents = html`<p class="documents"><a href="${handbookRoot}">Handbook</a> <a href="/api/v2/openapi.json">openapi.json</a> <a href="/api/v2/schema.xsd">schema.xsd</a> <a href="#conventions">Conventions</a> <a href="#status">Status words</a></p>`;

/** Two views of the same, of which one is shown at a time: without a script. */
const tabs = (name: string, asJson: string, asXml: string): Html => html`<div class="tabs">
<details name="${name}" open><summary>JSON</summary><pre tabindex="0"><code>${asJson}</code></pre></details>
<details name="${name}"><summary>XML</summary><pre tabindex="0"><code>${asXml}</code></pre></details>
</div>`;

const lineMax = 72;

function pretty(value: unknown): string {
  const short = JSON.stringify(value) ?? '';
  return short.length <= lineMax ? short : JSON.stringify(value, null, 2);
}

/** XML with an element a line; elements that hold only text stay whole. */
function indented(value: unknown): string {
  let depth = 0;
  const lines: string[] = [];
  for (const [piece] of String(value ?? '').matchAll(/<([^\s/>?]+)[^<>]*>[^<]*<\/\1>|<[^<>]*>|[^<]+/g)) {
    const isEnd = piece.startsWith('</');
    const isStart = /^<[^/?][^<>]*[^/]>$/.test(piece) || /^<\w>$/.test(piece);
    if (isEnd) depth -= 1;
    lines.push('  '.repeat(Math.max(0, depth)) + piece.trim());
    if (isStart) depth += 1;
  }
  return lines.filter((line) => line.trim() !== '').join('\n');
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The operation's example as a command; the address and the token come from the shell. */
function curl(operation: Documented, parameters: readonly Parameter[], format: Format): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters.find((each) => each.in === 'path' && each.name === name)?.example ?? name)),
  );
  const body = operation.requestBody?.content[format]?.example;
  const fileType = Object.keys(operation.requestBody?.content ?? {}).at(-1);
  const isFile = body === undefined && fileType !== undefined;
  const query = parameters.filter((each) => each.in === 'query' && (each.required || each.name === 'filter'));
  const isGet = operation.method === 'GET';
  const option = isGet ? (query.length > 0 ? ' -G' : '') : body === undefined ? ` -X ${operation.method}` : '';
  const parts = [
    `curl${option} "$PORTREEVE_URL${path}"`,
    operation['x-access'] !== 'open' && `-H "Authorization: Bearer $PORTREEVE_TOKEN"`,
    format === xml && body === undefined && `-H 'Accept: ${xml}'`,
    body !== undefined && `-H 'Content-Type: ${format}'`,
    isFile && `-H 'Content-Type: ${fileType}' --data-binary @file`,
    body !== undefined && `-d ${quoted(format === json ? pretty(body) : indented(body))}`,
    ...(isGet ? query.map((each) => `--data-urlencode ${quoted(`${each.name}=${queryExample(each)}`)}`) : []),
  ];
  return parts.filter((part) => part !== false).join(' \\\n  ');
}

function queryExample({ schema, example }: Parameter): string {
  const one = (schema.items ?? schema) as Schema & { examples?: readonly unknown[] };
  return String(example ?? one.examples?.[0] ?? one.enum?.[0] ?? one.minimum ?? '…');
}

/** Sends the operation from the page, with a token that stays in the memory of the page. Shown by the script, which it needs. */
function tryForm(operation: Documented, parameters: readonly Parameter[]): Html | undefined {
  const { operationId, method, path, requestBody } = operation;
  const body = requestBody?.content[json];
  // Files are sent by other programs.
  if (requestBody && !body) return undefined;
  const isOpen = operation['x-access'] === 'open';
  return html`<details class="more try" hidden><summary>Try it</summary>
<form class="try" data-method="${method}" data-path="${path}" aria-label="Try ${operationId}">
  ${!isOpen && html`<label>Token <input type="password" name="token" autocomplete="off" required></label>`}
  ${parameters.map(tryInput)}
  ${body && html`<label class="whole">Body <textarea name="body" rows="8" spellcheck="false">${pretty(body.example)}</textarea></label>`}
  <p class="whole"><button type="submit">Send</button> <output aria-live="polite"></output></p>
  <pre class="whole" tabindex="0" hidden><code></code></pre>
</form></details>`;
}

function tryInput({ name, in: where, schema, required, example }: Parameter): Html {
  if (schema.type === 'boolean')
    return html`<label><input type="checkbox" name="${where}.${name}"${name === 'dryRun' && html` checked`}> ${name}</label>`;
  const value = where === 'path' ? String(example ?? '') : '';
  return html`<label>${name} <input name="${where}.${name}" value="${value}" autocomplete="off"${required && html` required`}></label>`;
}

/** A page of the handbook. */
export const handbookPage = (title: string, content: Html): string =>
  page(
    `${title} – Portreeve handbook`,
    html`
<header><p class="crumbs"><a href="${handbookRoot}">Handbook</a> · <a href="${root}">Reference</a></p></header>
<main id="main" class="handbook">${content}</main>`,
  );

const page = (title: string, content: Html): string =>
  `<!doctype html>${
    html`
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}/reference.css">
<script src="${root}/reference.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>${content}
</body>
</html>
`.text
  }`;
