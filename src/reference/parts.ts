import { html } from 'hono/html'

export type Markup = ReturnType<typeof html>

export function methodChip(method: string | undefined): Markup | '' {
  if (method === undefined) return ''
  const name = method.toUpperCase()
  return html`<span class="method ${name.toLowerCase()}">${name === 'DELETE' ? 'DEL' : name}</span>`
}
