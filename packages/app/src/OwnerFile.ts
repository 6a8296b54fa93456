/** Files that only their owner may read, such as keys. Plain functions: commands that load no Effect use them too. */
import * as Fs from "node:fs"

/** A file that cannot be used, in one sentence. */
export class FileRefused extends Error {
  override readonly name = "FileRefused"
}

/** Refuses a file or folder that other accounts may use, with the command that changes it. */
export const refuseShared = (path: string, what: string, { mode, uid }: Fs.Stats): void => {
  if (process.platform === "win32") return
  const wanted = (mode & 0o170000) === 0o040000 ? "700" : "600"
  const own = process.getuid?.()
  if (own !== undefined && own !== 0 && uid !== own && uid !== 0) {
    throw new FileRefused(`The ${what} ${path} belongs to another account of this machine.`)
  }
  if ((mode & 0o077) !== 0) {
    const shown = (mode & 0o777).toString(8).padStart(4, "0")
    throw new FileRefused(
      `The ${what} ${path} is open to other accounts of this machine (mode ${shown}): run chmod ${wanted} ${path}.`
    )
  }
}

/** Reads at most `maxLength` bytes of a file that only its owner may read. Mode and content are those of one open file. */
export const read = (path: string, what: string, maxLength: number): string => {
  const unreadable = () => new FileRefused(`The ${what} ${path} cannot be read.`)
  let handle
  try {
    handle = Fs.openSync(path, "r")
  } catch {
    throw unreadable()
  }
  try {
    const status = Fs.fstatSync(handle)
    if (!status.isFile() && !status.isFIFO()) throw new FileRefused(`The ${what} ${path} is not a file.`)
    refuseShared(path, what, status)
    const buffer = Buffer.alloc(maxLength)
    let length = 0
    for (;;) {
      const count = Fs.readSync(handle, buffer, length, maxLength - length, status.isFile() ? length : null)
      length += count
      if (count === 0 || length === maxLength) return buffer.toString("utf8", 0, length)
    }
  } catch (error) {
    throw error instanceof FileRefused ? error : unreadable()
  } finally {
    Fs.closeSync(handle)
  }
}
