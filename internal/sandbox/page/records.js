import { at, make, show, table } from './element.js'
import { control } from './control.js'

let lists = [] // templates of paths
let attempt // does something and says why it failed
let asked = { path: '', skip: 0, total: 0, rows: [] }

const parameter = /^\{.*\}$/

// fits tells whether a path goes on from a template, and by which templates.
function fits(template, path) {
  const a = template.split('/'), b = path.split('/')
  return a.length === b.length && a.every((part, i) => parameter.test(part) || part === b[i])
}

// below are the lists that lie directly below a record, by the rest of their paths.
function below(path) {
  const depth = path.split('/').length
  return [...new Set(lists.filter((one) => {
    const parts = one.path.split('/')
    return parts.length > depth && fits(parts.slice(0, depth).join('/'), path) && !parts.slice(depth).some((part) => parameter.test(part))
  }).map((one) => one.path.split('/').slice(depth).join('/')))]
}

const go = (path, name = path) => make('button', { type: 'button', onclick: () => attempt(() => open(path)) }, name)

// summary returns the members of a record that identify it to a reader.
export function summary(record) {
  const first = ['number', 'accountName', 'name', 'title', 'subject', 'displayName', 'firstName', 'lastName', 'code', 'fileName', 'status', 'amount', 'description', 'email']
  const words = first.map((name) => record[name]).filter((value) => (value ?? '') !== '' && typeof value !== 'object')
  for (const nested of ['person', 'company', 'trust', 'groupOfPeople']) {
    if (record[nested]) words.push(...['firstName', 'lastName', 'name'].map((name) => record[nested][name]).filter(Boolean))
  }
  return words.length ? words.join(' · ') : JSON.stringify(record).slice(0, 120)
}

// open shows the list or the record at a path.
export async function open(path) {
  path = path.trim().replace(/\/+$/, '')
  at('path').value = path
  show(at('record'), '')
  at('more').hidden = true
  at('shown').textContent = ''
  table(at('list'), [], [])
  at('list').hidden = at('within').disabled = at('add').hidden = true
  at('within').value = ''
  const list = lists.find((one) => !one.single && fits(one.path, path))
  if (path === '') {
    at('places').replaceChildren(...lists.filter((one) => !one.path.includes('{')).map((one) => go(one.path)))
  } else if (list) {
    at('places').replaceChildren(...parents(path))
    asked = { path, skip: 0, total: 0, rows: [] }
    at('list').hidden = at('within').disabled = at('add').hidden = false
    await part()
  } else {
    const record = await control('GET', '/records?path=' + encodeURIComponent(path))
    at('places').replaceChildren(...parents(path), ...below(path).map((rest) => go(path + '/' + rest, rest)))
    show(at('record'), JSON.stringify(record, null, 2))
  }
}

const parents = (path) => [make('button', { type: 'button', onclick: () => attempt(() => open('')) }, 'all lists'),
  ...(path.split('/').length > 2 ? [go(path.slice(0, path.lastIndexOf('/')))] : [])]

// part adds the next records of the list.
async function part() {
  const { path, skip } = asked
  const answer = await control('GET', `/records/list?path=${encodeURIComponent(path)}&skip=${skip}`)
  if (asked.path !== path) return
  asked.rows.push(...answer.value.map((record) => ({
    text: JSON.stringify(record).toLowerCase(),
    cells: [record.id ?? '', summary(record), record.isDeleted ? 'deleted' : ''], label: `open ${record.id}`,
    pick: record.id ? () => attempt(() => open(`${path}/${record.id}`)) : () => show(at('record'), JSON.stringify(record, null, 2)),
  })))
  asked.skip += answer.value.length
  asked.total = answer.value.length ? answer.total : asked.skip
  showRows()
}

// add adds a record to the list, as a user of the application would, and shows it.
async function add(record) {
  const { path } = asked
  const { id } = await control('POST', '/records', { path, record: JSON.parse(record) })
  await open(`${path}/${id}`)
}

function showRows() {
  const wanted = at('within').value.toLowerCase()
  const found = asked.rows.filter((row) => row.text.includes(wanted))
  table(at('list'), ['id', 'record', 'state'], found)
  at('shown').textContent = `${wanted ? `${found.length} found in ` : ''}${asked.skip} of ${asked.total}`
  at('more').hidden = asked.skip >= asked.total
}

// search looks through what is shown, then through the rest of the list, at most a thousand records.
let searching = false
async function search() {
  showRows()
  if (searching) return
  searching = true
  try {
    while (at('within').value && asked.skip < Math.min(asked.total, 1000)) await part()
  } finally {
    searching = false
  }
}

// begin reads which lists there are.
export async function begin(attempting) {
  attempt = attempting
  lists = (await control('GET', '/records/lists')).value
  at('lists').replaceChildren(...lists.map((one) => make('option', { value: one.path })))
  at('go').addEventListener('submit', (event) => { event.preventDefault(); attempt(() => open(at('path').value)) })
  at('add').addEventListener('submit', (event) => { event.preventDefault(); attempt(() => add(event.target.elements.record.value)) })
  at('more').addEventListener('click', () => attempt(part))
  at('within').addEventListener('input', () => attempt(search))
  await open('')
}
