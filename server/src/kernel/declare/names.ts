/** `netId` → `net_id`, `addToGroupIDs` → `add_to_group_ids`, `aaa-server` → `aaa_server`: the name of a field or resource in SQL. */
export const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

/** `directory-agent-config` → `DIRECTORY_AGENT_CONFIG`: the word that starts the names of its events. */
export const upperSnake = (name: string): string => name.replaceAll('-', '_').toUpperCase();

/** `directory-agent-config` → `DirectoryAgentConfig`: its name among OpenAPI components and XML types. */
export const pascalCase = (name: string): string =>
  name
    .split(/[-_/]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** `an AAA server`, `a Container`, `an MDM server`, `a User`: chosen by pronunciation. */
export const withArticle = (title: string): string =>
  `${/^([aeio]|[FHLMNRSX]([B-DF-HJ-NP-TV-Z]|\d))/.test(title) || /^[AEIO]/.test(title) ? 'an' : 'a'} ${title}`;

/** A quoted SQL identifier. Declared names are checked at start; the quotes are for the reserved ones among them (`group`, `user`). */
export const quoted = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`;

/** A quoted SQL literal, for text of declarations. Never for a caller's text: that is passed as a parameter. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A reference by name in `parent` is stored in `parent_id`; one by id in `addGroupID` is stored in `add_group_id`. */
export const referenceColumn = (field: string, keyKind: 'id' | 'name'): string =>
  snakeCase(field) + (keyKind === 'name' ? '_id' : '');
