/** Anchors of a page, in the format of GitHub, so that the links in the Markdown files also work on the site. */

export interface Anchors {
  /** A repeated heading gets a number as a suffix. */
  heading(text: string): string
  field(section: string, name: string): string
}

export function openAnchors(): Anchors {
  const taken = new Set<string>()
  const unique = (name: string): string => {
    let free = name
    for (let n = 1; taken.has(free); n++) free = `${name}-${n}`
    taken.add(free)
    return free
  }
  return {
    heading: (text) => unique(slugOf(text) || 'section'),
    field: (section, name) =>
      unique(`${section || 'field'}-${name.replace(/[^\p{L}\p{N}_]+/gu, '-').replace(/^-|-$/g, '')}`),
  }
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
