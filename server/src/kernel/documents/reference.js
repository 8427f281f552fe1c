// What the reference pages do with a script; without one they are whole, only less handy.

const narrow = matchMedia('(max-width: 56rem)');
for (const menu of document.querySelectorAll('details.menu')) menu.open = !narrow.matches;

const box = document.querySelector('.filter');
if (box) {
  const input = box.querySelector('input');
  const output = box.querySelector('output');
  const groups = [...document.querySelectorAll('.group')].map((section) => ({
    section,
    link: document.querySelector(`nav a[href="#${section.id}"]`)?.parentElement,
    rows: [...section.querySelectorAll('li')].map((row) => ({
      row,
      // Only a search shows these.
      isExtra: row.classList.contains('fields-of'),
      text: `${section.querySelector('h2').textContent} ${row.textContent}`.toLowerCase(),
      place: row.querySelector('a').getAttribute('href'),
      hit: row.appendChild(document.createElement('small')),
    })),
  }));
  // Names and texts of fields, fetched when somebody begins to search.
  let lines = () => [];
  let isAsked = false;
  const fetchLines = async () => {
    if (isAsked) return;
    isAsked = true;
    try {
      const { texts, places } = await (await fetch('/docs/search.json')).json();
      lines = (place) => (places[place] ?? []).map((at) => texts[at]);
      show();
    } catch {
      // The next letter tries again; until then the lines themselves are searched.
      isAsked = false;
    }
  };
  /** The field that has the words which the line itself lacks; undefined: no field has them all. */
  const fieldWith = (words, place) =>
    lines(place).find((line) => words.every((word) => line.toLowerCase().includes(word)));
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length > 0) void fetchLines();
    let found = 0;
    for (const { section, link, rows } of groups) {
      let here = 0;
      for (const { row, isExtra, text, place, hit } of rows) {
        const lacking = words.filter((word) => !text.includes(word));
        const field = lacking.length > 0 ? fieldWith(lacking, place) : undefined;
        row.hidden = (lacking.length > 0 && field === undefined) || (isExtra && field === undefined);
        hit.textContent = field === undefined ? '' : field.split(':', 1)[0];
        if (!row.hidden && !isExtra) here += 1;
      }
      const isEmpty = rows.every(({ row }) => row.hidden);
      section.hidden = isEmpty;
      if (link) link.hidden = isEmpty;
      found += here;
    }
    output.textContent = words.length === 0 ? '' : found === 1 ? '1 operation' : `${found} operations`;
    const address = new URL(location.href);
    if (words.length > 0) address.hash = `find=${encodeURIComponent(input.value)}`;
    else if (address.hash.startsWith('#find=')) address.hash = '';
    history.replaceState(null, '', address);
  };
  box.hidden = false;
  input.addEventListener('input', show);
  if (location.hash.startsWith('#find=')) {
    input.value = decodeURIComponent(location.hash.slice('#find='.length));
    show();
  }
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== input && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.focus();
    }
    if (event.key === 'Escape' && document.activeElement === input && input.value !== '') {
      input.value = '';
      show();
    }
  });
}

/** What is typed: of a block that shows a prompt, its commands without the prompt and without what they print. */
function typedIn(text) {
  const isPrompt = (line) => line.startsWith('$ ');
  const lines = text.split('\n');
  if (!lines.some(isPrompt)) return text;
  const isTyped = (line, at) =>
    isPrompt(line) || (at > 0 && lines[at - 1].endsWith('\\') && isTyped(lines[at - 1], at - 1));
  return `${lines
    .filter(isTyped)
    .map((line) => (isPrompt(line) ? line.slice(2) : line))
    .join('\n')}\n`;
}

// The clipboard is there for pages that came by HTTPS, or from this machine.
if (navigator.clipboard) {
  for (const block of document.querySelectorAll('pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(typedIn(block.querySelector('code').textContent));
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    });
    block.prepend(button);
  }
}

// Operations can be sent from here. The token stays in the memory of this page: it is gone when the page is.
for (const form of document.querySelectorAll('form.try')) {
  const details = form.closest('details');
  details.hidden = false;
  const output = form.querySelector('output');
  const answer = form.querySelector('pre');
  const token = form.elements.token;
  details.addEventListener('toggle', () => {
    const known = [...document.querySelectorAll('form.try input[name=token]')].find((input) => input.value !== '');
    if (token && known) token.value = known.value;
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    output.textContent = 'Sending …';
    answer.hidden = true;
    const begun = performance.now();
    try {
      const { url, ...request } = requestOf(form);
      const reply = await fetch(url, { ...request, credentials: 'omit', signal: AbortSignal.timeout(60_000) });
      const text = await reply.text();
      output.textContent = `${reply.status} after ${Math.round(performance.now() - begun)} ms`;
      const headers = ['etag', 'location', 'link', 'x-request-id'].flatMap((name) =>
        reply.headers.has(name) ? [`${name}: ${reply.headers.get(name)}`] : [],
      );
      answer.querySelector('code').textContent = `${headers.join('\n')}\n\n${readable(text)}`;
      answer.hidden = false;
    } catch (error) {
      output.textContent = `Not sent: ${error.message}`;
    }
  });
}

/** What a form asks for: its fields are called `path.id`, `query.filter`, `header.If-Match`. */
function requestOf(form) {
  const url = new URL(
    form.dataset.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(form.elements[`path.${name}`].value)),
    location.origin,
  );
  const headers = {};
  for (const { name, value, type, checked } of form.elements) {
    const [where, ...rest] = name.split('.');
    const given = type === 'checkbox' ? (checked ? 'true' : '') : value;
    if (given === '') continue;
    if (where === 'query') url.searchParams.append(rest.join('.'), given);
    if (where === 'header') headers[rest.join('.')] = given;
  }
  if (form.elements.token) headers.authorization = `Bearer ${form.elements.token.value.trim()}`;
  const body = form.elements.body?.value;
  if (body) headers['content-type'] = 'application/json';
  return { url, method: form.dataset.method, headers, ...(body && { body }) };
}

const shownMax = 200_000;

function readable(text) {
  let written = text;
  try {
    written = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // It is shown as it came.
  }
  return written.length > shownMax ? `${written.slice(0, shownMax)}\n… ${written.length - shownMax} more` : written;
}

// The sidebar shows where one is.
const links = new Map([...document.querySelectorAll('nav a')].map((link) => [link.hash.slice(1), link]));
const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute('aria-current');
      links.get(target.id)?.setAttribute('aria-current', 'true');
    }
  },
  { rootMargin: '0px 0px -75% 0px' },
);
for (const id of links.keys()) {
  const section = document.getElementById(id);
  if (section) seen.observe(section);
}
