/** The console's service worker: it keeps the files of its build, and shows push messages. */

const scope = "/console/"

/** Registers the service worker of the service's present build; the same one again where it is registered. */
export const register = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register(`${scope}service-worker.js`, { scope, updateViaCache: "none" })

export const registered = (): Promise<ServiceWorkerRegistration | undefined> =>
  navigator.serviceWorker.getRegistration(scope)

/** Waits until a registration's worker is active. `navigator.serviceWorker.ready` never is on a page at `/console`. */
export const activated = (registration: ServiceWorkerRegistration): Promise<ServiceWorkerRegistration> =>
  new Promise((resolve, reject) => {
    const worker = registration.installing ?? registration.waiting
    if (registration.active !== null || worker === null) return resolve(registration)
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve(registration)
      if (worker.state === "redundant") reject(new Error(worker.state))
    })
  })
