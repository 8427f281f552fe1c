import { type Category, type Change, categories } from './change-file.ts';

const heading = '## [Unreleased]';

/** A release, and the day on which it is made. */
interface Release {
  version: string;
  day: string;
}

/**
 * Returns the changelog with the changes below a heading for the release. Lines that stand below the heading of what is unreleased belong
 * to the release too; that heading stays, without lines.
 */
export function foldChanges(changelog: string, changes: readonly Change[], { version, day }: Release): string {
  const start = changelog.indexOf(`${heading}\n`);
  if (start < 0) throw new Error(`CHANGELOG.md has no heading "${heading}"`);
  if (changelog.includes(`\n## [${version}]`)) throw new Error(`CHANGELOG.md has a heading for ${version} already`);
  const bodyStart = start + heading.length + 1;
  const nextHeading = changelog.indexOf('\n## ', bodyStart);
  const end = nextHeading < 0 ? changelog.length : nextHeading + 1;
  const sections = sectionsIn(changelog.slice(bodyStart, end));
  for (const { category, text } of changes) {
    const lines = sections.get(category) ?? [];
    sections.set(category, [...lines, `- ${text.replaceAll('\n', '\n  ')}`]);
  }
  if (sections.size === 0) throw new Error('there is no change to release');
  const body = categories
    .filter((category) => sections.has(category))
    .map((category) => `### ${category}\n${sections.get(category)!.join('\n')}\n`)
    .join('\n');
  const after = end < changelog.length ? `\n${changelog.slice(end)}` : '';
  return `${changelog.slice(0, bodyStart)}\n## [${version}] - ${day}\n\n${body}${after}`;
}

/** The lines below each category. A line outside of all of them is a note on the release that is due, and ends with it. */
function sectionsIn(text: string): Map<Category, string[]> {
  const sections = new Map<Category, string[]>();
  for (const part of text.split(/^### /m).slice(1)) {
    const [title, ...lines] = part.trimEnd().split('\n');
    const category = categories.find((name) => name === title);
    if (!category) throw new Error(`CHANGELOG.md has a category "${title}", which is none of ${categories.join(', ')}`);
    sections.set(category, [...(sections.get(category) ?? []), ...lines.filter((line) => line !== '')]);
  }
  return sections;
}
