/**
 * The console's service worker. It shows push messages, and keeps the hashed files of its build, which never change, and
 * a page for the time without a connection. It keeps no page and no answer of the service: every page comes from the
 * network, so that a new build is used at once. The build replaces the name below.
 */
const build = "BUILD"
const prefix = "console-"
const cacheName = `${prefix}${build}`
const offlinePage = "/console/offline.html"

/** Files whose names contain a hash of their content. */
const isHashed = (path) => /^\/console\/assets\/[^/]+\.(?:js|css|svg|woff2)$/.test(path)

self.addEventListener("install", (event) => {
  const prepared = caches.open(cacheName).then((cache) => cache.addAll([offlinePage, "/console/icon-192.png"]))
  event.waitUntil(prepared.then(() => self.skipWaiting()))
})

/** Removes what other builds kept, and tells the open pages which build the service has now. */
const takeOver = async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name)
  }
  await self.clients.claim()
  for (const page of await self.clients.matchAll({ type: "window", includeUncontrolled: true })) {
    page.postMessage({ build })
  }
}

self.addEventListener("activate", (event) => event.waitUntil(takeOver()))

/** A gateway answers in place of the service with these. */
const isUnreachable = ({ status }) => status === 502 || status === 503 || status === 504

const kept = async (path) => (await (await caches.open(cacheName)).match(path)) ?? Response.error()

const pageFrom = async (request) => {
  try {
    const answer = await fetch(request)
    return isUnreachable(answer) ? await kept(offlinePage) : answer
  } catch {
    return kept(offlinePage)
  }
}

const fileFrom = async (request) => {
  const cache = await caches.open(cacheName)
  const found = await cache.match(request)
  if (found !== undefined) return found
  const answer = await fetch(request)
  if (answer.status === 200) await cache.put(request, answer.clone())
  return answer
}

self.addEventListener("fetch", (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== "GET" || origin !== self.location.origin) return
  if (request.mode === "navigate") event.respondWith(pageFrom(request))
  else if (isHashed(pathname)) event.respondWith(fileFrom(request))
  else if (pathname === "/console/icon-192.png") event.respondWith(fetch(request).catch(() => kept(pathname)))
})

/** Returns a message's content. A browser takes a subscription away whose messages show nothing. */
const contentOf = (data) => {
  try {
    const { body, id, link, title, urgent } = data.json()
    return { body: String(body), id: String(id), link, title: String(title), urgent: urgent === true }
  } catch {
    return { body: "", id: "unreadable", link: null, title: "Vault Trader", urgent: false }
  }
}

/** Shows a message. A repeat has the id of the first one, and replaces it without a sound. */
self.addEventListener("push", (event) => {
  const { body, id, link, title, urgent } = contentOf(event.data)
  event.waitUntil(self.registration.showNotification(title, {
    body,
    tag: id,
    icon: "/console/icon-192.png",
    requireInteraction: urgent,
    data: { link }
  }))
})

/** Returns the page of a message: of this console only, whatever the message says. */
const pageOf = (link) => {
  const home = new URL("/console/", self.location.origin)
  const url = typeof link === "string" && URL.canParse(link) ? new URL(link) : home
  return url.origin === home.origin && url.pathname.startsWith("/console/") ? url.href : home.href
}

/** Opens a message's page: the window that shows it, or a new one, because an open one may have an unsent form. */
const openPage = async (link) => {
  const page = pageOf(link)
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true })
  const shown = windows.find(({ url }) => url === page)
  return shown === undefined ? self.clients.openWindow(page) : shown.focus()
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data?.link))
})
