import { at, copy, make, show, table, time, written } from './element.js'
import { control, Refused, setKey, takeKey } from './control.js'
import { bars, dots } from './charts.js'
import * as records from './records.js'

const most = 300 // requests, deliveries, changes and violations that are looked at
const answered = [['fill-good', 'done'], ['fill-warn', 'rejected, 4xx'], ['fill-bad', 'failed, 5xx or no response']]
const delivered = [['fill-good', 'acknowledged'], ['fill-bad', 'not acknowledged']]
const lagged = [['fill-good', 'write to effect'], ['fill-event', 'event to delivery']]
const moment = (text) => Date.parse(text)
const list = async (path) => (await control('GET', path)).value

// attempt does something and says why it failed.
async function attempt(what) {
  try {
    at('told').textContent = ''
    await what()
  } catch (failure) {
    at('told').textContent = failure.message
    if (failure instanceof Refused && failure.status === 403) ask()
  }
}

// ask asks for the API key.
function ask() {
  at('sign-in').hidden = false
  at('inside').hidden = true
}

const statusClass = (status) => (status >= 500 || status === 0 ? 'bad' : status >= 400 ? 'warn' : 'good')
const statusText = (status) => make('span', { class: statusClass(status) }, status || 'none')
const headers = (sent) => Object.entries(sent ?? {}).map(([name, values]) => `${name}: ${values.join(', ')}`).join('\n')
const bodyOf = (one) => (one.bodyBase64 === undefined ? written(one.body) : `(${one.bodyBase64.length} characters of base64)`)

// why is what was wrong with a request: what the interface does not allow, else its Problem.
function why(one) {
  if (one.violations.length + one.warnings.length) return one.violations.concat(one.warnings).join('; ')
  try {
    const { detail, errors } = JSON.parse(one.answer)
    return [detail, ...[errors ?? []].flat().map((e) => e.field ? `${e.field}: ${e.message}` : JSON.stringify(e))].join(' ')
  } catch {
    return one.answer
  }
}

const sentOf = (one) => `${one.method} ${one.path}${one.query ? '?' + one.query : ''}`
let requests = [] // the latest ones

function showRequests(all = requests) {
  requests = all
  at('requests-count').textContent = all.length === most ? `latest ${most}` : all.length
  const { text, refused } = at('request-filter').elements
  const wanted = (one) => (!refused.checked || one.status >= 400 || one.violations.length) &&
    `${one.part} ${one.operation} ${one.status} ${sentOf(one)} ${one.requestId} ${why(one)}`.toLowerCase().includes(text.value.toLowerCase())
  table(at('request-list'), ['time', 'part', 'operation', 'status', 'request', 'why'], all.filter(wanted).toReversed().map((one) => ({
    cells: [time(one.when), one.part, one.operation || '–', statusText(one.status), sentOf(one), why(one)],
    label: `show ${one.method} ${one.path}`, key: `${one.when} ${one.path}`,
    pick: () => attempt(() => showRequest(one)),
  })))
  table(at('latest'), ['time', 'status', 'request'], all.slice(-5).toReversed().map((one) => ({
    cells: [time(one.when), statusText(one.status), sentOf(one)], label: `show ${one.method} ${one.path}`, key: `${one.when} ${one.path}`,
    pick: () => attempt(() => { location.hash = '#requests'; return showRequest(one) }),
  })))
}

// showRequest asks for the body of a request, which the list does not have: it is asked for
// every second.
async function showRequest(one) {
  const whole = (await list(`/requests?last=${most}`)).find((other) => other.when === one.when && other.path === one.path) ?? one
  const told = [...one.violations.map((text) => `not allowed: ${text}`), ...one.warnings.map((text) => `warning: ${text}`)]
  const answer = [`${one.status || 'no response'}`, ...told, written(one.answer)].filter(Boolean).join('\n')
  show(at('request'), `${sentOf(one)}\n${headers(one.headers)}\n\n${bodyOf(whole)}\n\n→ ${answer}`)
  at('request').scrollIntoView({ block: 'nearest' })
}

let subscription = '' // the id of the one whose deliveries are shown; empty: all
let deliveries = []

function showDeliveries(all = deliveries) {
  deliveries = all
  at('deliveries-count').textContent = all.length === most ? `latest ${most}` : all.length
  table(at('delivery-list'), ['sent', 'type', 'answer', 'repeated', 'to'], all.filter((one) => !subscription || one.subscriptionId === subscription).toReversed().map((one) => ({
    cells: [time(one.sent), one.type, one.error ? make('span', { class: 'bad' }, one.error) : statusText(one.status), one.duplicate ? 'again' : '', one.url],
    label: `show ${one.type}`, key: `${one.sent} ${one.type} ${one.url}`,
    pick: () => show(at('delivery'), `POST ${one.url}\n${headers(one.headers)}\n\n${bodyOf(one)}`),
  })))
}

function showSubscriptions(all) {
  table(at('subscription-list'), ['name', 'types', 'to'], all.map((one) => ({
    cells: [one.name, one.eventTypes.join(', '), one.url], label: `deliveries of ${one.id}`, key: one.id,
    pick: () => { subscription = subscription === one.id ? '' : one.id; showDeliveries() },
  })))
}

function showViolations(all) {
  at('violations-count').textContent = all.length === most ? `latest ${most}` : all.length
  at('violations-count').className = all.length ? 'bad' : ''
  at('violation-list').replaceChildren(...all.map((text) => make('li', {}, make('button', { type: 'button', onclick: () => attempt(() => showCause(text)) }, text))))
}

// showCause shows the request of a violation: the latest one that it can be of.
async function showCause(text) {
  const one = requests.findLast((other) => text.startsWith(`${other.method} ${other.path}`) && other.violations.some((wrong) => text.endsWith(wrong)))
  if (!one) throw new Error('Its request is no longer in the list.')
  location.hash = '#requests'
  await showRequest(one)
}

function showFaults(all) {
  at('faults-count').textContent = all.length
  table(at('fault-list'), ['operation', 'kind', 'status', 'skips', 'times', 'delay'], all.map((one) => ({
    cells: [one.operation || 'any', one.kind, one.status || 'usual', one.skip, one.times < 0 ? 'all' : one.times || 1, `${one.delayMilliseconds} ms`],
  })))
}

// lags are how long writes took to their effects, and events to their deliveries.
function lags(requests, deliveries, changes) {
  const asked = new Map(requests.filter((one) => one.requestId && one.status === 202).map((one) => [one.requestId, moment(one.when)]))
  const effects = changes.filter((one) => asked.has(one.requestId))
    .map((one) => ({ class: 'fill-good', at: moment(one.at), took: moment(one.at) - asked.get(one.requestId) }))
  return effects.concat(deliveries.flatMap((one) => {
    const happened = happenedAt(one.body)
    return happened === undefined ? [] : [{ class: 'fill-event', at: moment(one.sent), took: moment(one.sent) - happened }]
  }))
}

// happenedAt reads the time of an event, which counts units of 100 ns since the year 1.
function happenedAt(body) {
  try {
    return Number((BigInt(/"timestamp":(\d+)/.exec(body)[1]) - 621355968000000000n) / 10000n)
  } catch {
    return undefined
  }
}

const parts = {
  clock: ({ now, virtual }) => { at('clock').textContent = `${time(now)} UTC${virtual ? ', moved by commands only' : ''}` },
  requests: showRequests, deliveries: showDeliveries, violations: showViolations, faults: showFaults,
  subscriptions: showSubscriptions,
}
const last = {} // the text of each part, as it was shown

// look asks for everything and shows what has changed.
async function look() {
  const [clock, requests, deliveries, changes, violations, faults, subscriptions] = await Promise.all([
    control('GET', '/clock'), list(`/requests?last=${most}&bodies=false`), list(`/deliveries?last=${most}`), list(`/changes?last=${most}`), list(`/violations?last=${most}`), list('/faults'), list('/subscriptions'),
  ])
  for (const [name, value] of Object.entries({ clock, requests, deliveries, violations, faults, subscriptions })) {
    const text = JSON.stringify(value)
    if (last[name] !== text) parts[name](value)
    last[name] = text
  }
  const now = moment(clock.now)
  bars(at('chart-requests'), requests.map((one) => ({ at: moment(one.when), class: 'fill-' + statusClass(one.status) })), now, answered, 'requests')
  bars(at('chart-deliveries'), deliveries.map((one) => ({
    at: moment(one.sent), class: one.status >= 200 && one.status < 300 ? 'fill-good' : 'fill-bad' })), now, delivered, 'deliveries')
  dots(at('chart-lag'), lags(requests, deliveries, changes), now, lagged)
}

async function watch() {
  if (!document.hidden && !at('inside').hidden) {
    try {
      await look()
    } catch (failure) {
      at('told').textContent = `The sandbox does not respond: ${failure.message}`
      if (failure instanceof Refused && failure.status === 403) ask()
    }
  }
  setTimeout(watch, 1000)
}

const pair = (name, value) => make('tr', {}, make('th', { scope: 'row' }, name), make('td', { class: 'mono' }, value))

async function showFirm() {
  const { number, events, matters, firm } = await control('GET', '/seed')
  at('addresses').replaceChildren(make('tbody', {},
    pair('Base address', location.origin + '/practice/v1'), pair('Control', location.origin + '/_sandbox'),
    pair('Seed', `${number}, with ${matters} matters and ${events} events`)))
  const kinds = new Map()
  for (const [name, value] of Object.entries(firm).filter(([name, value]) => value !== '' && !name.startsWith('otherFirm'))) {
    const list = listOf(name, firm)
    const kind = list.split('/').at(-1) || 'others'
    const known = kinds.get(kind) ?? []
    kinds.set(kind, known.concat([value].flat().filter((id) => !known.some((one) => one.id === id)).map((id) => ({ name, id, path: list && `${list}/${id}` }))))
  }
  const last = (kind) => kind === 'others'
  at('firm').replaceChildren(...[...kinds].sort(([a], [b]) => last(a) - last(b) || a.localeCompare(b)).map(([kind, all]) => kindOf(kind, all)))
}

// listOf returns the list with the records whose ids have a name, where it follows from the name.
function listOf(name, firm) {
  const lists = { fee: 'fees', expense: 'expenses', subfolder: 'documents/folders', folder: 'documents/folders', file: 'documents/files', memo: 'memos' }
  const top = { matter: 'matters', lead: 'matters', contact: 'contacts', staff: 'staff', user: 'users', event: 'events', task: 'tasks', activitycode: 'activitycodes', bankaccount: 'bankaccounts', group: 'groups' }
  const kind = name.toLowerCase().replace(/ids?$/, '')
  const of = (all) => all[Object.keys(all).find((one) => kind.endsWith(one))]
  if (/(sub|portal)task$/.test(kind)) return '' // they lie below other records
  return of(lists) ? `/matters/${firm.matterId}/${of(lists)}` : of(top) ? `/${of(top)}` : ''
}

// kindOf folds the records of a kind. It reads their names when it is opened.
function kindOf(kind, all) {
  const rows = all.map(({ name, id, path }) => {
    const told = make('td', {}, name)
    const lead = path ? make('button', { type: 'button', onclick: () => attempt(() => { location.hash = '#records'; return records.open(path) }) }, id) : id
    const row = make('tr', {}, told, make('td', { class: 'mono' }, lead, ' ', make('button', { type: 'button', 'aria-label': `Copy ${id}`, onclick: () => attempt(() => copy(id)) }, 'Copy')))
    return { row, read: async () => { if (path) told.textContent = await control('GET', '/records?path=' + encodeURIComponent(path)).then(records.summary, () => name) } }
  })
  return make('details', { ontoggle: () => attempt(() => Promise.all(rows.map((one) => one.read()))) },
    make('summary', {}, `${kind} (${all.length})`), make('table', {}, make('tbody', {}, ...rows.map((one) => one.row))))
}

// members are the fields of a form, numbers as numbers, without those that are empty.
function members(form) {
  const told = {}
  for (const field of form.querySelectorAll('input, select')) {
    if (field.value !== '') told[field.name] = field.type === 'number' ? Number(field.value) : field.value
  }
  return told
}

const command = (method, path, body) => attempt(async () => { await control(method, path, body); await look() })
const onClick = (id, does) => at(id).addEventListener('click', does)
const onSubmit = (id, does) => at(id).addEventListener('submit', (event) => { event.preventDefault(); does(event.target) })

function wire() {
  for (const button of document.querySelectorAll('[data-advance]')) {
    button.addEventListener('click', () => command('POST', '/clock', { advanceMilliseconds: Number(button.dataset.advance) }))
  }
  onClick('settle', () => command('POST', '/settle'))
  onClick('expire', () => command('POST', '/tokens/expire'))
  onClick('reset', () => confirm('Begin again with the same firm?') && command('POST', '/reset'))
  onClick('forget', () => command('DELETE', '/requests'))
  onClick('excuse', () => command('DELETE', '/violations'))
  onClick('clear', () => command('DELETE', '/faults'))
  onClick('clear-stubs', () => command('DELETE', '/stubs'))
  for (const button of document.querySelectorAll('[data-command]')) {
    button.addEventListener('click', () => command(...JSON.parse(button.dataset.command)))
  }
  for (const button of document.querySelectorAll('[data-copy]')) {
    button.addEventListener('click', () => attempt(() => copy(at(button.dataset.copy).textContent)))
  }
  at('request-filter').addEventListener('input', () => showRequests())
  onSubmit('request-filter', () => {})
  onSubmit('emit', (form) => attempt(async () => { await control('POST', '/emit', { type: form.elements.type.value, payload: JSON.parse(form.elements.payload.value) }); await look() }))
  onSubmit('fault', (form) => command('POST', '/faults', members(form)))
  onSubmit('failure', (form) => command('POST', '/failures', members(form)))
  onSubmit('stub', (form) => command('POST', '/stubs', members(form)))
  onSubmit('sign-in', () => { setKey(at('key').value); at('key').value = ''; attempt(enter) })
  addEventListener('hashchange', section)
}

// section shows the part of the page that the address names.
function section() {
  const names = [...document.querySelectorAll('section')].map((one) => one.id)
  const here = names.includes(location.hash.slice(1)) ? location.hash.slice(1) : 'overview'
  for (const name of names) at(name).hidden = name !== here
  for (const link of document.querySelectorAll('nav a')) {
    link.classList.toggle('here', link.hash === '#' + here)
    if (link.hash === '#' + here) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
}

let begun = false

async function enter() {
  await look()
  at('sign-in').hidden = true
  at('inside').hidden = false
  if (begun) return
  begun = true
  await showFirm()
  await records.begin(attempt)
  const described = await (await fetch('/openapi.yaml')).text()
  const names = [...described.matchAll(/^\s+operationId: (\w+)$/gm)].map((found) => found[1])
  at('operations').replaceChildren(...[...names, 'token', 'storage.put', 'storage.get'].map((name) => make('option', { value: name })))
}

wire()
if (takeKey()) attempt(enter)
else ask()
section()
watch()
