import { encodeQR } from 'qr'
import { html, type Markup } from '../../markup/markup.ts'

/** The width of a QR code's light margin in modules, as ISO/IEC 18004 requires. */
const margin = 4

/** A QR code is dark on white in every colour scheme, because many cameras read no inverted code. */
export function qrCode(text: string, label: string): Markup {
  const rows = encodeQR(text, 'raw', { border: margin })
  const size = rows.length
  const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="240" height="240" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${squares.join('')}"/></svg>`
}
