/** The version callers see at `/version`. */
export const version = { version: "0.1.0", commit: process.env["COMMIT"] ?? "unknown" }
