/** A report as one page: no script, no request, charts in SVG. It opens from a file, prints, and needs no colours. */
import { sha256 } from '../../core/sha256.ts'
import { html, type Html } from '../../server/html.ts'
import { LOGO } from '../../server/theme.ts'
import type { Breakdown, ChartPart, Figure, Report, ReportRow, Timeline } from './report.ts'
import { PAGE_STYLE } from './style.ts'

/** Returns the page. Its policy allows nothing but its own style, which is named by its hash. */
export function renderReportPage(report: Report): string {
  const { title, period, headline, beside, zone, figures, sections, notes } = report
  const hash = Buffer.from(sha256(Buffer.from(PAGE_STYLE))).toString('base64')
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="generator" content="dray report" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta
          http-equiv="Content-Security-Policy"
          content="${`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`}"
        />
        <title>${title}: ${period}</title>
        ${{ markup: `<style>${PAGE_STYLE}</style>` }}
      </head>
      <body>
        <main>
          <header>
            <p class="period">${LOGO} ${title}: ${period}</p>
            <h1>${headline}</h1>
          </header>
          ${figures.length > 0 && html`<dl class="figures">${figures.map((figure) => toCard(figure, beside))}</dl>`}
          ${sections.map((section) => (section.kind === 'timeline' ? toChart(section) : toTable(section)))}
          ${
            notes.length > 0 &&
            html`<ul class="notes">
              ${notes.map((note) => html`<li>${note}</li>`)}
            </ul>`
          }
          <footer>${beside !== '' && `Compared with ${beside}. `}Times are of ${zone}. Made by dray.</footer>
        </main>
      </body>
    </html> `
  return page.markup.replaceAll(/^\n/gm, '')
}

function toCard({ label, value, before, change }: Figure, beside: string): Html {
  return html`<div>
    <dt>${label}</dt>
    <dd class="value">${value}</dd>
    <dd class="before">
      ${change !== '' && html`<b>${change}</b> `}<span title="${beside}">before ${before}</span>
    </dd>
  </div>`
}

/** The columns of a chart are drawn in a box of 10 by 100 each, which stretches; texts stand outside and do not. */
function toChart({ title, parts, beforeName }: Timeline): Html {
  const most = Math.max(1, ...parts.flatMap(({ value, before }) => [value, before]))
  const top = parts.find(({ value, before }) => Math.max(value, before) === most)
  const topText = top === undefined ? '' : top.value === most ? top.text : top.beforeText
  const step = Math.max(1, Math.ceil(parts.length / 12))
  const hasBefore = parts.some(({ before }) => before > 0)
  return html`<figure>
    <figcaption>
      <h2>${title}</h2>
      <p class="key">
        <svg viewBox="0 0 10 10" aria-hidden="true"><rect class="now" x="2" width="6" height="10" /></svg>
        now${hasBefore && html` <svg viewBox="0 0 10 10" aria-hidden="true"><rect class="was" x="1" y="1" width="8" height="9" /></svg> ${beforeName}`}
      </p>
    </figcaption>
    <p class="top">${topText}</p>
    <svg
      class="plot"
      viewBox="0 0 ${parts.length * 10} 100"
      preserveAspectRatio="none"
      role="img"
      aria-label="${`${title}; the table below has its figures`}"
    >
      ${parts.map((part, at) => toColumn(part, at, most, beforeName))}
    </svg>
    <div class="axis" aria-hidden="true">
      ${parts.map(({ label }, at) => html`<span>${at % step === 0 && label}</span>`)}
    </div>
    <details>
      <summary>Figures</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">${title}</th>
            <th scope="col" class="number">Now</th>
            <th scope="col" class="number">${sentence(beforeName)}</th>
          </tr>
        </thead>
        <tbody>
          ${parts.map(
            ({ name, text, detail, beforeText }) =>
              html`<tr>
                <th scope="row">${name}</th>
                <td class="number">${text}${detail !== undefined && `, ${detail}`}</td>
                <td class="number">${beforeText}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </details>
  </figure> `
}

function toColumn(
  { name, value, text, detail, before, beforeText }: ChartPart,
  at: number,
  most: number,
  beforeName: string,
): Html {
  const box = (amount: number): string => {
    const height = Math.round((amount / most) * 10_000) / 100
    return `y="${Math.round((100 - height) * 100) / 100}" height="${height}"`
  }
  const was = `<rect class="was" x="${at * 10 + 1}" width="8" ${box(before)}/>`
  const now = `<rect class="now" x="${at * 10 + 2.5}" width="5" ${box(value)}/>`
  return html`<g
    ><title>${name}: ${text}${detail !== undefined && `, ${detail}`}; ${beforeName}: ${beforeText}</title
    >${{ markup: `${before > 0 ? was : ''}${value > 0 ? now : ''}` }}</g
  >`
}

function toTable({ headings, rows, total, note, words = 0 }: Breakdown): Html {
  const most = Math.max(0, ...rows.map(({ value = 0 }) => value))
  const hasBars = most > 0
  const kind = (at: number): string => (at < words ? 'word' : 'number')
  const toRow = ({ label, value = 0, cells, isLost = false }: ReportRow): Html =>
    html`<tr>
      <th scope="row">${label}</th>
      ${hasBars && html`<td class="bar">${toBar(value, most, isLost)}</td>`}${headings.slice(1).map((_, at) => html`<td class="${kind(at)}">${cells[at] ?? ''}</td>`)}
    </tr>`
  return html`<section>
    <table>
      <thead>
        <tr>
          <th scope="col" class="${hasBars && 'named'}"><h2>${headings[0] ?? ''}</h2></th>
          ${hasBars && html`<td></td>`}${headings.slice(1).map((heading, at) => html`<th scope="col" class="${kind(at)}">${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(toRow)}
      </tbody>
      ${
        total !== undefined &&
        html`<tfoot>
          ${toRow(total)}
        </tfoot>`
      }
    </table>
    ${note !== undefined && html`<p class="note">${note}</p>`}
  </section> `
}

function toBar(value: number, most: number, isLost: boolean): Html | false {
  if (value <= 0) return false
  const share = Math.max(0.5, Math.round((value / most) * 1000) / 10)
  return html`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="${isLost ? 'lost' : 'now'}" width="${share}" height="10" />
  </svg>`
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
