// Elements are made here and nowhere else, and a text is only ever text: records hold
// what their authors wrote.

const shapes = 'http://www.w3.org/2000/svg'

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (value !== false && value !== undefined) element.setAttribute(name, value)
  }
  element.append(...children.filter((child) => child !== undefined && child !== null).map((child) => (child instanceof Node ? child : String(child))))
  return element
}

export const make = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children)
export const shape = (name, attributes = {}, ...children) => fill(document.createElementNS(shapes, name), attributes, children)
export const at = (id) => document.getElementById(id)

// table fills a table. A row has cells, and perhaps what happens when it is picked. The
// keyboard stays at the row where it was, by its key or else its label.
export function table(element, header, rows) {
  const place = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined
  const head = make('tr', {}, ...header.map((text) => make('th', { scope: 'col' }, text)))
  const body = rows.map(({ cells, pick, label, key = label }) => make('tr', { class: pick ? 'pick' : undefined, onclick: pick ?? (() => {}) },
    ...cells.map((cell, i) => make('td', {}, i === 0 && pick ? make('button', { type: 'button', 'aria-label': `${cell} ${label}`, 'data-key': key }, cell) : cell))))
  element.replaceChildren(...(rows.length ? [make('thead', {}, head), make('tbody', {}, ...body)] : [make('tbody', {}, make('tr', {}, make('td', {}, 'There is none.')))]))
  if (place !== undefined) [...element.querySelectorAll('button')].find((one) => one.dataset.key === place)?.focus({ preventScroll: true })
}

// show puts a text into a block of its own.
export function show(block, text) {
  block.textContent = text
  block.hidden = text === ''
}

// copy hands a text to the clipboard, which pages of plain names have not.
export async function copy(text) {
  if (!navigator.clipboard) throw new Error('This browser lets only pages of this machine copy.')
  await navigator.clipboard.writeText(text)
}

// written is a body as it is read best.
export function written(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body ?? ''
  }
}

export const time = (text) => text.replace('T', ' ').replace(/\.\d+/, '').replace('Z', '')
