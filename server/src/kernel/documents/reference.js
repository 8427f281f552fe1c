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
      text: `${section.querySelector('h2').textContent} ${row.textContent}`.toLowerCase(),
    })),
  }));
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { section, link, rows } of groups) {
      let here = 0;
      for (const { row, text } of rows) {
        row.hidden = !words.every((word) => text.includes(word));
        if (!row.hidden) here += 1;
      }
      section.hidden = here === 0;
      if (link) link.hidden = here === 0;
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

// The clipboard is there for pages that came by HTTPS, or from this machine.
if (navigator.clipboard) {
  for (const block of document.querySelectorAll('pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    });
    block.prepend(button);
  }
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
