// The control interface. The API key comes with the address that the sandbox prints,
// behind the #, which no browser sends anywhere; it stays in this tab.

const kept = 'practice-sandbox key'

export function takeKey() {
  const found = /^#key=(.+)$/.exec(location.hash)
  if (found) {
    sessionStorage.setItem(kept, decodeURIComponent(found[1]))
    history.replaceState(null, '', location.pathname)
  }
  return sessionStorage.getItem(kept) !== null
}

export const setKey = (key) => sessionStorage.setItem(kept, key)

export class Refused extends Error {
  constructor(status, problem) {
    super([problem.detail ?? problem.title ?? `status ${status}`, ...(problem.errors ?? []).map((e) => `${e.field}: ${e.message}`)].join(' '))
    this.status = status
  }
}

// control sends a command, and answers what it answers.
export async function control(method, path, body) {
  const headers = { 'x-api-key': sessionStorage.getItem(kept) ?? '' }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const response = await fetch('/_sandbox' + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
  const text = await response.text()
  const answer = text === '' ? {} : JSON.parse(text)
  if (!response.ok) throw new Refused(response.status, answer)
  return answer
}
