import type { Page, Section } from './page.ts'

/** An index for programs that read prose, by the convention of llms.txt: a title, what it is, and links with a line each. */
export function llmsFile([first, ...others]: readonly Section[]): string {
  const [index] = first?.pages ?? []
  const parts = [
    `# ${index?.title ?? ''}`,
    `> ${index?.summary ?? ''}`,
    'Money is integer kobo, NGN throughout. Every path begins with /api/v1, every call needs a bearer token unless its page says that none is needed, and every error has a code with a page of its own.',
    ...[first, ...others].flatMap((section) =>
      section === undefined ? [] : [`## ${section.title}`, section.pages.map(line).join('\n')],
    ),
  ]
  return `${parts.join('\n\n')}\n`
}

function line({ path, title, summary, method, route }: Page): string {
  const what = route === undefined ? summary : `\`${method} ${route}\`: ${summary}`
  return `- [${title}](${path}.md): ${what}`
}
