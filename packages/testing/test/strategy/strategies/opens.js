import * as fs from "node:fs"; export const strategy = { description: fs.readFileSync("/etc/passwd", "utf8"), inputs: {}, decide: () => null }
