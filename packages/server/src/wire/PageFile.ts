/** Files of pages that this server sends: their types, and the policy of the pages. */
import * as Path from "node:path"

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
  ".yml": "text/plain; charset=utf-8"
}

/** Returns the content type of a file by its name; undefined for files that are not sent. */
export const typeOf = (name: string): string | undefined => types[Path.extname(name)]

/**
 * Scripts and connections from and to this origin only. Inline styles are allowed because the component libraries write
 * some.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  // Wallets provide their icons as data URLs.
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  // The console's service worker.
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** The headers of a page and its files. */
export const headers = {
  "Content-Security-Policy": policy,
  "X-Frame-Options": "DENY",
  // With no-referrer, browsers would also omit the Origin header, by which we recognize our own page.
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=()"
}

/** Returns true for a file whose name contains a hash of its content. */
export const isHashed = (path: string): boolean => path.startsWith("assets/")

/** Lets a browser keep a file whose name contains a hash of its content. */
export const keptForever = "public, max-age=31536000, immutable"
