import { SaxesParser, type SaxesTagNS } from 'saxes';

const svgNamespace = 'http://www.w3.org/2000/svg';
const xlinkNamespace = 'http://www.w3.org/1999/xlink';
const depthMax = 64;
/**
 * Each reference can repeat the contents of the others: 24 of them draw at most some thousand times the contents of the
 * file.
 */
const referencesMax = 24;

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Elements that draw. Elements that run code, embed, animate or link are removed with their contents. */
const elements = words(`
  svg g defs symbol use title desc style path rect circle ellipse line polyline polygon text tspan
  linearGradient radialGradient stop clipPath mask`);

const attributes = words(`
  id class style viewBox preserveAspectRatio version width height x y x1 y1 x2 y2 cx cy r rx ry dx dy fx fy fr d points pathLength transform
  fill fill-opacity fill-rule stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
  opacity color display visibility overflow paint-order vector-effect shape-rendering clip-path clip-rule clipPathUnits mask maskUnits maskContentUnits
  gradientUnits gradientTransform spreadMethod offset stop-color stop-opacity
  font-family font-size font-style font-weight letter-spacing text-anchor dominant-baseline textLength lengthAdjust rotate
  role aria-hidden aria-label`);

const linking = words('use linearGradient radialGradient');
const holdingText = words('title desc style text tspan');
const functions = words(
  'rgb rgba hsl hsla calc matrix translate translatex translatey scale scalex scaley rotate skewx skewy',
);

const localName = /^[\w.:-]+$/;
const localUrl = /url\((['"]?)#[\w.:-]+\1\)/g;
/** Never needed to draw: an at-rule of CSS, a URL without scheme, an escape. */
const suspicious = /@|\/\/|\\/;
const scheme = /(?:javascript|vbscript|data|blob|file|ftps?|https?|wss?)\s*:/i;
/** Excludes `@`, `\` and `/`: no rule that loads a URL, no escaped spelling, no URL. */
const plainStyle = /^[\w\s.#,:;%()+\->{}*!'"]*$/;

/** A match starts at the first letter of a name; otherwise a long word would be tried from each of its letters. */
const call = /(?<![\w-])([\w-]+)\(/g;

const callsKnown = (value: string): boolean =>
  [...value.matchAll(call)].every(([, name]) => functions.has(name!.toLowerCase()));

const isSafeStyle = (value: string): boolean => plainStyle.test(value) && !scheme.test(value) && callsKnown(value);

function isSafeValue(name: string, value: string): boolean {
  if (name === 'style') return isSafeStyle(value);
  if (name === 'id') return localName.test(value);
  return !suspicious.test(value) && !scheme.test(value) && callsKnown(value.replaceAll(localUrl, ''));
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
const escapeValue = (value: string): string => value.replaceAll(/[&<>"\t\n\r]/g, (character) => escapes[character]!);
const escapeText = (text: string): string => text.replaceAll(/[&<>\r]/g, (character) => escapes[character]!);

interface Open {
  name: string;
  /** Output so far: the start tag with attributes, and the contents. */
  head: string;
  inside: string;
}

/**
 * Returns the parts of an SVG that draw, selected by an allowlist and serialised again. Calls `refuse` with the end of
 * a sentence if the SVG is invalid.
 */
export function cleanSvg(text: string, refuse: (what: string) => never): string {
  const parser = new SaxesParser({ xmlns: true, forceXMLVersion: true, defaultXMLVersion: '1.0' });
  // The parser's own table inherits from Object.prototype, so `&constructor;` would be found in it.
  parser.ENTITIES = Object.assign(Object.create(null), { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" });
  const open: Open[] = [];
  /** Depth within an element that is removed; 0 outside. */
  let skipped = 0;
  let references = 0;
  let depth = 0;
  let result = '';

  const countReference = () => {
    if (++references > referencesMax) refuse(`repeats parts of itself more than ${referencesMax} times`);
  };

  function attributesOf(tag: SaxesTagNS): string {
    const keptAttributes = new Map<string, string>();
    for (const { prefix, local, uri, value } of Object.values(tag.attributes)) {
      const isLink = local === 'href' && (prefix === '' || uri === xlinkNamespace);
      if (isLink) {
        // `href` takes precedence over `xlink:href` (SVG 2).
        const isLocal = linking.has(tag.local) && value.startsWith('#') && localName.test(value.slice(1));
        if (isLocal && (prefix === '' || !keptAttributes.has('href'))) keptAttributes.set('href', value);
      } else if (prefix === '' && attributes.has(local) && isSafeValue(local, value)) keptAttributes.set(local, value);
    }
    if (tag.local === 'use' && keptAttributes.has('href')) countReference();
    for (const name of ['clip-path', 'mask']) if (keptAttributes.get(name)?.includes('url(')) countReference();
    return [...keptAttributes].map(([name, value]) => ` ${name}="${escapeValue(value)}"`).join('');
  }

  parser.on('error', (error) => refuse(`is not valid XML (${error.message.replace(/\.$/, '')})`));
  parser.on('doctype', () => refuse('has a DOCTYPE; remove it'));
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (encoding.toLowerCase() !== 'utf-8') refuse('must be encoded in UTF-8');
  });

  parser.on('opentag', (tag) => {
    const isSvg = tag.uri === svgNamespace;
    if (++depth > depthMax) refuse(`is nested deeper than ${depthMax} levels`);
    if (depth === 1 && !(isSvg && tag.local === 'svg')) refuse(`must have <svg xmlns="${svgNamespace}"> as its root`);
    if (skipped > 0 || !isSvg || !elements.has(tag.local)) skipped++;
    else open.push({ name: tag.local, head: attributesOf(tag), inside: '' });
  });

  const onText = (piece: string) => {
    const element = open.at(-1);
    if (skipped === 0 && element && holdingText.has(element.name)) element.inside += escapeText(piece);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);

  parser.on('closetag', () => {
    depth--;
    if (skipped > 0) {
      skipped--;
      return;
    }
    const { name, head, inside } = open.pop()!;
    const parent = open.at(-1);
    // An escaped `<` or `&` does not occur in safe styles, so only `&gt;` is decoded.
    if (name === 'style' && !isSafeStyle(inside.replaceAll('&gt;', '>'))) return;
    const start = `<${name}${parent ? '' : ` xmlns="${svgNamespace}"`}${head}`;
    const markup = inside === '' ? `${start}/>` : `${start}>${inside}</${name}>`;
    if (parent) parent.inside += markup;
    else result = markup;
  });

  parser.write(text).close();
  return result;
}
