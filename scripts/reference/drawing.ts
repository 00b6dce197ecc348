import { instance } from '@viz-js/viz'
import type { Lifecycle } from './lifecycles.ts'

/**
 * Draws state machines as SVG. An image does not know the colour scheme of its page, so the drawing has light text on
 * filled boxes and grey lines, which are readable on light and on dark backgrounds.
 */

/**
 * Maximum number of lines in a drawing. Above it, the drawing leaves out transitions that skip a status, because too
 * many lines would cross.
 */
const linesMax = 24

const line = '#808080'
const box = '#2f5d8a'
/** Fill colour of final statuses in a drawing. */
const end = '#5f5f5f'
const text = '#ffffff'

export interface Transition {
  readonly from: string
  readonly to: string
  /** Whether the transition leads back: its target is before its source in the table of statuses. */
  readonly isBack: boolean
}

export async function drawingOf(lifecycle: Lifecycle): Promise<string> {
  const viz = await instance()
  const drawn = viz.renderString(
    {
      graphAttributes: { rankdir: 'TB', bgcolor: 'transparent', nodesep: 0.35, ranksep: 0.45 },
      nodeAttributes: {
        shape: 'box',
        style: 'filled,rounded',
        fillcolor: box,
        color: box,
        fontcolor: text,
        fontname: 'Helvetica',
        fontsize: 13,
      },
      edgeAttributes: { color: line, arrowsize: 0.7 },
      nodes: [
        ...lifecycle.statuses.map(({ name, next }) => ({
          name,
          // Each node of the drawing has its own label, because a default label would also apply to the start nodes.
          attributes: { label: name, ...(next.length === 0 ? { fillcolor: end, color: end } : {}) },
        })),
        ...lifecycle.start.map((name) => ({
          name: `start ${name}`,
          attributes: { shape: 'circle', label: '', width: 0.14, fillcolor: line, color: line },
        })),
      ],
      edges: [
        ...lifecycle.start.map((name) => ({ tail: `start ${name}`, head: name })),
        ...drawnTransitions(lifecycle).map(({ from, to, isBack }) => ({
          tail: from,
          head: to,
          attributes: isBack ? { style: 'dashed', constraint: false } : {},
        })),
      ],
    },
    { format: 'svg' },
  )
  return asFile(drawn, lifecycle)
}

/** Reports whether the drawing of a state machine leaves out transitions that skip a status. */
export function isShortened(lifecycle: Lifecycle): boolean {
  return transitionsOf(lifecycle).length > linesMax
}

/**
 * Returns the transitions to draw: for a small state machine, all of them. For a large one, leaves out each transition
 * that a chain of other transitions replaces.
 */
export function drawnTransitions(lifecycle: Lifecycle): Transition[] {
  const all = transitionsOf(lifecycle)
  if (!isShortened(lifecycle)) return all
  const forward = all.filter(({ isBack }) => !isBack)
  return all.filter(({ from, to, isBack }) => {
    const others = all.filter((other) => other.from === from && other.to !== to && other.isBack === isBack)
    return !others.some((other) => reaches(forward, other.to, to))
  })
}

function transitionsOf({ transitions }: Lifecycle): Transition[] {
  const order = Object.keys(transitions)
  return Object.entries(transitions).flatMap(([from, next]) =>
    next.map((to) => ({ from, to, isBack: order.indexOf(to) < order.indexOf(from) })),
  )
}

/**
 * Reports whether a chain of forward transitions leads from one status to another. Forward transitions form no cycle,
 * so the recursion ends.
 */
function reaches(forward: readonly Transition[], from: string, to: string): boolean {
  return from === to || forward.some((each) => each.from === from && reaches(forward, each.to, to))
}

/**
 * Removes declarations, comments and tool tips from the SVG: the content security policy of the pages rejects some of
 * them, and the pages need none.
 */
function asFile(drawn: string, { title }: Lifecycle): string {
  const svg = drawn
    .slice(drawn.indexOf('<svg'))
    .replaceAll(/<!--.*?-->\n?/gs, '')
    .replaceAll(/<title>.*?<\/title>\n?/gs, '')
    .replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', '')
    .replace(/^<svg /, '<svg role="img" ')
    .replace(/^(<svg[^>]*>)/, `$1\n<title>${title}</title>`)
  return `${svg.trimEnd()}\n`
}
