/** A Link header that this service does not send; a walk must not treat it as the last page. */
export class LinkFault extends Error {
  override readonly name = 'LinkFault';
}

const headerMax = 32_768;
const target = /\s*<([^<>]*)>/y;
const parameter = /\s*;\s*([\w!#$&+.^`|~*-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;<>]*)))?/y;
const separator = /\s*(?:,|$)/y;

/** Returns the position of the next page from `<url>; rel="next"` in a Link header (RFC 8288, section 3); undefined on the last page. */
export function nextPosition(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (header.length > headerMax) throw new LinkFault('a Link header is too long');
  for (let position = 0; position < header.length; ) {
    const url = match(target, header, position);
    if (!url) throw new LinkFault('a Link header has no target in angle brackets');
    position = target.lastIndex;
    let isNext = false;
    for (
      let parameterMatch = match(parameter, header, position);
      parameterMatch;
      parameterMatch = match(parameter, header, position)
    ) {
      position = parameter.lastIndex;
      const [, name, quoted, plain] = parameterMatch;
      if (name!.toLowerCase() === 'rel') isNext ||= isRelation(quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '');
    }
    if (!match(separator, header, position)) throw new LinkFault('a Link header has a malformed parameter');
    position = separator.lastIndex;
    if (isNext) return positionIn(url[1]!);
  }
  return undefined;
}

const match = (pattern: RegExp, text: string, position: number): RegExpExecArray | null => {
  pattern.lastIndex = position;
  return pattern.exec(text);
};

const isRelation = (value: string): boolean => value.toLowerCase().split(/\s+/).includes('next');

/** Returns only `after`: the caller has the other parameters, and a link omits long ones. */
function positionIn(url: string): string {
  const position = URL.parse(url, 'http://localhost')?.searchParams.get('after');
  if (!position) throw new LinkFault('the link of the next page has no position');
  return position;
}
